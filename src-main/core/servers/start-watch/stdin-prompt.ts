const LONGEST = 120
const END = /[:?>]\s*$|[([]\s?y(?:es)?(?:\s?\/\s?no?)?\s?[)\]]\s*:?\s*$/iu
const REQUEST =
  /^\?\s|\b(?:enter|paste|type|press|provide|choose|select|pick|input|what is|which)\b|[([]\s?y(?:es)?(?:\s?\/\s?no?)?\s?[)\]]|\b(?:continue|proceed|password|passphrase|token|key|username|e-?mail)\b[^.]{0,30}[:?]\s*$/iu
/** Says what the program does, and not what the user is to do. */
const DOING = /\b(?!string|setting)\w{3,}ing\b[^?]{0,40}[:>]\s*$/iu
const NO_PROMPT = /^\s*[{[<]|%|\d\s?[KMGT]i?B|https?:\/\//iu

/**
 * What a program asks its user on a terminal; undefined where nothing looks like it. `unfinished`: texts that it wrote without
 * ending their line, as prompts are; `last`: its last whole line.
 */
export function promptIn(
  unfinished: readonly string[],
  last: string | undefined,
): string | undefined {
  const open = unfinished.find((text) => isPrompt(text))
  if (open !== undefined) return shortPrompt(open)
  return last !== undefined && isPrompt(last) && REQUEST.test(last) ? shortPrompt(last) : undefined
}

function isPrompt(text: string): boolean {
  return END.test(text) && !NO_PROMPT.test(text) && !DOING.test(text)
}

function shortPrompt(text: string): string {
  const prompt = text.trim()
  return prompt.length > LONGEST ? `…${prompt.slice(-LONGEST)}` : prompt
}
