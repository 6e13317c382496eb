$.ajaxPrefilter(function (options) {
  if (options.url.indexOf('http') !== 0) {
    options.url = '/proxy/reports' + options.url;
  }
});
