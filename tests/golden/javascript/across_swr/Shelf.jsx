import useSWR from "swr";
import { load } from "@depot/http";
import { SHELVES } from "./paths";

export default function Shelf({ id }) {
  const { data } = useSWR(`${SHELVES}/${id}`, load);
  return <p>{data}</p>;
}
