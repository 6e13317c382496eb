import axios from "axios";

async function each(id: string, train: boolean) {
  let url: string;
  if (train) {
    url = `http://trains/trips/${id}`;
  } else {
    url = `http://buses/lines/${id}`;
  }
  await axios.get(url);
}

async function perhaps(all: boolean) {
  let path = "/orders";
  if (all) path = "/orders/all";
  await axios.delete("http://shop" + path);
}

async function one(id: string) {
  let url = "http://shop/first";
  await axios.get(url);
  url = "http://shop/second/" + id;
  await axios.get(url);
}

async function appended(all: boolean) {
  let url = "http://shop/list";
  if (all) url += "/all";
  await axios.get(url);
}
