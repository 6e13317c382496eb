export interface Named {
  label(): string;
}

export default class User implements Named {
  constructor(private readonly id: number, public friend?: User) {}

  label(): string {
    return this.friend ? this.friend.label() : String(this.id);
  }

  static of(id: number): User {
    return new User(id);
  }
}

export const create = (id: number) => new User(id);
