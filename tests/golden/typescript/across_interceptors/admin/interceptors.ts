import { HttpHandlerFn, HttpInterceptorFn, HttpRequest } from '@angular/common/http';

export const cacheInterceptor: HttpInterceptorFn = (req, next) => next(req);

export function baseUrlInterceptor(req: HttpRequest<unknown>, next: HttpHandlerFn) {
  const url = `/admin/api${req.url}`;
  return next(req.clone({ url }));
}

export const interceptors = [cacheInterceptor, baseUrlInterceptor];
