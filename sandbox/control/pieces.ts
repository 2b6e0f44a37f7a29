/** A long text in pieces, which is put together only as far as it is needed. */

export function measurePieces(pieces: string[]): number {
	return pieces.reduce((sum, { length }) => sum + length, 0);
}

export function takeBeginning(pieces: string[], length: number): string {
	let text = '';
	for (const piece of pieces) {
		text += piece;
		if (text.length >= length) break;
	}
	return text.slice(0, length);
}
