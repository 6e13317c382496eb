export async function getServerSideProps() { return { props: {} }; }
export default function Users() { return null; }
