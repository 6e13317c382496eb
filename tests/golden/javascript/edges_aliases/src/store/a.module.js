import ApiService from "@/common/api.service";
import Plain from "@/common/plain";
const actions = { login(c) { ApiService.post("users/login", {}); Plain.post("users/plain", {}); } };
