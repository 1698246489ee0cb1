export class ReplayMode {}
