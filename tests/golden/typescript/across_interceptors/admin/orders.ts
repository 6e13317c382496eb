import { HttpClient } from '@angular/common/http';
import { inject } from '@angular/core';

export class Orders {
  private readonly http = inject(HttpClient);

  remove(id: number) {
    return this.http.delete(`/orders/${id}`);
  }
}
