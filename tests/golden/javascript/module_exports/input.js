function a() {
  return 1;
}
const b = () => 2;
function notExported() {}
module.exports = {
  a,
  renamed: b,
  direct: function (x) {
    return x;
  },
  short() { return 1; },
};
