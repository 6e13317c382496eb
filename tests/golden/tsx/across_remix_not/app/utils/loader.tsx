// not below app/routes
export const loader = async () => read();
export const action = async () => write();
