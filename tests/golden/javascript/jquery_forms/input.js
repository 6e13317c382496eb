const base = '/api';
function send(id, how) {
  $.ajax(base + '/first', { type: 'PUT' });
  $.ajax({ type: 'post', url: `${base}/carts/${id}`, data: {} });
  const options = { url: base + '/named', method: 'DELETE' };
  $.ajax(options);
  jQuery.get({ url: '/options' });
  $('#cart').load('/fragment #part');
  $.ajax({ url: how ? '/yes' : '/no', type: how });
  $(window).load(function () {});
  $.get('#nothing').text();
  $.extend({ url: '/nothing' });
  loader.load('/nothing');
  $.ajaxSetup({ headers: {} });
}
