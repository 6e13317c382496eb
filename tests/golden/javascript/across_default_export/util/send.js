export default async (input, init) => {
	const answer = await fetch(input, init);
	if (!answer.ok) throw new Error(answer.statusText);
	return answer;
};
