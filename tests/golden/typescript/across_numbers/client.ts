import axios from "axios";
import { VERSION } from "./versions";

export const parcels = (host: string) => axios.get(`${host}/v${VERSION}/parcels`);
