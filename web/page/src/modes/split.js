export class SplitMode {}
