export const getUsers = async (request, context) => ({ jsonBody: [] });
export async function postUsers(request) {
  return { status: 201 };
}
