import { HttpClient } from '@angular/common/http';

export class UsersService {
  constructor(private readonly http: HttpClient) {}

  list() {
    return this.http.get<User[]>('/users');
  }

  rates() {
    return this.http.get('https://rates.example.org/today');
  }
}
