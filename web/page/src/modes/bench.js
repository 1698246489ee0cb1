export class BenchMode {}
