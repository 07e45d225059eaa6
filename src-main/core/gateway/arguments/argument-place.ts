/** The steps from the arguments to a value in them: keys, and places in lists. */
export type Path = readonly (string | number)[]

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,100}$/
const LONGEST_KEY = 60

/** A place as a model reads it, such as `options.paths[2]`; empty for the arguments themselves. */
export function placeOf(path: Path): string {
  let place = ''
  for (const step of path) {
    if (typeof step === 'number') place += `[${step}]`
    else if (PLAIN_KEY.test(step)) place += place === '' ? step : `.${step}`
    else place += `[${quoted(step)}]`
  }
  return place
}

/** A text of a model in quotes, cut. */
export function quoted(text: string, longest = LONGEST_KEY): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return JSON.stringify(cut)
}

/** The steps of a location as the validator gives it: a JSON pointer in a fragment. */
export function pathOf(location: string): string[] {
  if (location === '#') return []
  return location
    .slice('#/'.length)
    .split('/')
    .map((step) => decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}
