const one = () => new One();

const two = async function (id) {
  if (!id) return null;
  return find(id);
};

function three() {
  return { load, key: value };
}

function* four() {
  yield one();
  label: for (;;) break label;
}

const five = (f) => f;

export default class extends Base {}
