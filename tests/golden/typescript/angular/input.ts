import { HttpClient } from '@angular/common/http';

@Injectable()
export class UserService {
  private base = '/api/users';
  private other = inject(HttpClient);
  constructor(private http: HttpClient, private router: Router, private cache: Map<string, User>) {}

  all(): Observable<User[]> { return this.http.get<User[]>(this.base); }
  one(id: number) { return this.http.get<User>(`${this.base}/${id}`, { params: {} }); }
  add(user: User) { return this.http.post(this.base, user); }
  any(id: string) { return this.http.request<User>('DELETE', `${this.base}/${id}`); }
  late() { return this.other.put('/api/late', {}); }
  nothing(route: ActivatedRoute) {
    this.router.navigate(['/nothing']);
    this.cache.get('/nothing');
    route.snapshot.paramMap.get('/nothing');
    this.form.get('/nothing');
    this.params.delete('/nothing');
  }
}
