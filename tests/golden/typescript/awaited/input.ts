import axios from 'axios';
import got from 'got';

type User = { id: string };

class Users {
  constructor(private readonly http: HttpClient) {}

  async one(id: string) {
    return (await axios.get<User>(`/users/${id}`)).data;
  }

  async add(user: User) {
    const { data } = await axios.post<User>('/users', user);
    return data;
  }

  async found() {
    return await got<User[]>('http://search/users').json();
  }

  async named() {
    return await axios<User>({ method: 'PUT', url: '/users/named' }).then((r) => r.data);
  }

  async plain() {
    return await axios.delete('/users');
  }

  async nothing(cache: Map<string, User>) {
    return await cache.get<User>('/users');
  }
}
