import { Container } from './container';

export class App {
  private users: Users;

  constructor(private container: Container) {
    this.users = this.container.getService<Users>('Users');
    container.addService(this.users, { lazy: true });
  }

  run() {
    this.users.findOne({ id: 1 });
  }
}
