angular.module('app').factory('Users', function ($http) {
  var api = '/api';
  return {
    all: function () { return $http.get(api + '/users'); },
    save: function (u) { return $http({ method: 'PUT', url: '/api/users/' + u.id, data: u }); },
    drop: function (id) { return $http.delete('/api/users/' + id); },
  };
});
