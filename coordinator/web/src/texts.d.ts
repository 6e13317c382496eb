// Files that are taken into the page as they are.
declare module "*.txt" {
	const text: string;
	export default text;
}
