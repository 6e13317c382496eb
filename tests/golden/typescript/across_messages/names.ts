export const CREATED = 'order_created';
export enum Patterns {
  Sum = 'sum',
}
