/** A user. */
export interface User<T> extends Base {
  id: string;
  greet(name: string): void;
}

export type Id = string | number;

export enum Role { Admin, Guest = 2 }

export abstract class Repo<T> implements Store {
  private items: T[] = [];
  static shared = 1;

  constructor(private readonly url: string) {
    super();
  }

  abstract load(id: Id): Promise<T>;

  protected save = async (item: T): Promise<void> => {
    this.items.push(item);
  };

  @Log()
  find<K extends keyof T>(key: K): T | undefined {
    return undefined;
  }
}

namespace Inner {
  export function helper(): void {}
}

export function overload(a: string): void;
export function overload(a: number): void;
export function overload(a: any): void { return; }

@Injectable()
export class Service {
  @Input() name: string;
}

declare const VERSION: string;
declare module "x" { function y(): void; }
const config = { url: "a" } as const;
