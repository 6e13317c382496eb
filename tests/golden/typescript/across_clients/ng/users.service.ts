import { ApiService } from './api.service';
@Injectable()
export class UsersService {
  private base = '/users';
  constructor(private apiService: ApiService) {}
  one(id) { return this.apiService.get(`${this.base}/${id}`); }
  remove(id) { return this.apiService.delete('/users/' + id).pipe(map(x => x)); }
}
