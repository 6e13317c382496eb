function cart(id) {
  $.getJSON('/cart', {}, function (data) {});
  jQuery.post('/cart/' + id, {});
  $.ajax({ url: 'cart/' + id, type: 'DELETE', success: function () {} });
  $.ajax({ url: '/plain' });
  $.each('/nothing');
  $('#cart').get('/nothing');
}
