export interface Options {
  url: string;
  retry(count: number): void;
}
