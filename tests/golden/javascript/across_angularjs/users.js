angular.module('app').controller('users', function ($http) {
  $http.get('/users').then(show);
});
