import axios from "axios";

export function run(only, list) {
  only();
  send(1);
  axios.send(2);
  list.map((x) => x.only());
  console.log(list);
}
