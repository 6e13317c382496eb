function load(id, url) {
  const xhr = new XMLHttpRequest();
  xhr.open('POST', '/users/' + id, true);
  xhr.send();
  const other = new XMLHttpRequest();
  other.open("get", url);
  window.open('/nothing', '_blank');
  indexedDB.open('get', 1);
  dialog.open('GET');
}
