/** A piece ends with a line where one ends in its second half. */
const PIECE = 4_000

/** A text in pieces of at most 4,000 UTF-16 units, cut at the ends of lines where it can be. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from)
    const piece = text.slice(from, to)
    // The piece is a block of its own: the end of its last line would add an empty one.
    pieces.push(piece.endsWith('\n') ? piece.slice(0, -1) : piece)
    from = to
  }
  return pieces
}

function endOfPiece(text: string, from: number): number {
  const most = Math.min(from + PIECE, text.length)
  if (most === text.length) return most
  const line = text.lastIndexOf('\n', most - 1) + 1
  if (line > from + PIECE / 2) return line
  // No surrogate pair is cut.
  return /[\uD800-\uDBFF]/u.test(text.charAt(most - 1)) ? most - 1 : most
}
