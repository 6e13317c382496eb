angular.module('app').factory('apiInterceptor', function () {
  return {
    request: function (config) {
      config.url = '/gateway' + config.url;
      return config;
    },
  };
});
