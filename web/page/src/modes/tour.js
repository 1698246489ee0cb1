export class TourMode {}
