package shop.web;

import shop.api.UsersApi;

@FeignClient("users-service")
public interface UsersClient extends UsersApi {
}
