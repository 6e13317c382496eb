class Settings {
  constructor(u) { this.url = u; }
  reset(u) { this.url = u; }
  log() { const url = 'http://wrong/v1'; console.log(url); }
}
const s = new Settings('http://users/v1');
fetch(s.url + '/a');
// what the constructor assigns is the member; a local variable of another method is not, nor is what several methods assign
class Once {
  constructor(u) { this.url = u; }
  log() { const url = 'http://wrong/v1'; console.log(url); }
}
const o = new Once('http://users/v1');
fetch(o.url + '/b');
