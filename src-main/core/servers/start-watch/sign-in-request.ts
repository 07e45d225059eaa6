/** Lines that may belong to one request. */
const WINDOW = 8
const MAX_LINE_LENGTH = 4_000

const ADDRESS = /https?:\/\/[^\s"'<>`]{4,3000}/iu
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]/iu
const AUTHORIZE =
  /\b(?:authori[sz]e|authori[sz]ation|authenticate|authentication|authenticating|sign(?:ing)?[ -]?in(?:to)?|log(?:ging)?[ -]?in(?:to)?|consent|device (?:code|login|activation)|one-time code|oauth)\b/iu
const ACT =
  /\b(?:please|visit(?:ing)?|open(?:ing|ed)?|go to|navigate|browser|click|follow(?:ing)?|copy|paste|use a|continue|needed|required|enter|waiting)\b/iu
/** An address that only a sign-in has. */
const SIGN_IN_ADDRESS =
  /^https?:\/\/[^?#]{0,200}(?:\/(?:[\w-]{0,20}[_-])?(?:o?auth2?|authorize|login|signin|sign-in|device|devicelogin|activate|sso)\b|\b(?:login|auth|accounts|device|signin|sso)\.)/iu
/** Words about keys, accounts and documentation. */
const ABOUT =
  /\b(?:docs?|documentation|readme|learn more|more info\w*|api[ -]?keys?|access tokens? (?:at|from|here)|get (?:an?|your)|create an?|generate an?|sign up|troubleshoot\w*|see also)\b/iu
const LISTENING = /\b(?:listening|running (?:on|at)|serving|server started|started on|uvicorn)\b/iu
const OVER =
  /\b(?:(?:auth\w*|sign[ -]?in|log[ -]?in)(?: code)?(?: was| is)? (?:received|complete[d]?|successful|succeeded|done)|(?:signed|logged) in|success\w*|authenticated|authorized)\b/iu

const CODE = String.raw`\b(?:enter|copy|use|your|with|one-time|user|device|verification|pairing|confirmation|following|this)\b[^.]{0,30}\bcode\b`
const CODE_IN_LINE = new RegExp(
  String.raw`${CODE}(?: is| below)?[\s:=\u201C"']{1,4}([A-Z0-9]{3,10}-[A-Z0-9]{3,10}|[A-Z0-9]{4,12})(?![A-Za-z0-9])`,
  'iu',
)
const ABOUT_CODE = new RegExp(String.raw`${CODE}[^A-Za-z0-9]{0,4}$`, 'iu')
const OTHER_CODE = /\b(?:exit|status|error|return|source|country|zip) code\b/iu
/** Excludes ordinary words. */
const IS_CODE = /^(?=.*[0-9]|[A-Z-]+$)[A-Z0-9-]+$/u
const CODE_ALONE = /^\W{0,6}([A-Z0-9]{3,10}-[A-Z0-9]{3,10}|[A-Z0-9]{5,12})\W{0,4}$/u

/** A sign-in that a program requests: an address to open, with a code to enter there. */
export type SignInRequest = {
  readonly url?: string | undefined
  readonly code?: string | undefined
}

/** Detects in a program's lines, plain and masked, that it waits for its user to sign in. */
export class SignInReader {
  #lines: string[] = []
  #request: SignInRequest | undefined

  /** Whether the newest lines report that the user has signed in. */
  isDone = false

  get request(): SignInRequest | undefined {
    return this.#request
  }

  add(line: string): void {
    const text = line.slice(0, MAX_LINE_LENGTH)
    if (text.trim() === '') return
    if (this.#request && OVER.test(text) && !ADDRESS.test(text)) this.isDone = true
    this.#lines = [...this.#lines, text].slice(-WINDOW)
    const found = requestIn(this.#lines)
    if (!found) return
    // A second address or code replaces the first; the code may come some lines later.
    const isRepeated = found.url !== undefined && found.url !== this.#request?.url
    if (isRepeated || found.code !== this.#request?.code) this.isDone = false
    this.#request = {
      url: found.url ?? this.#request?.url,
      code: found.code ?? this.#request?.code,
    }
  }
}

function requestIn(lines: readonly string[]): SignInRequest | undefined {
  const code = codeIn(lines)
  const at = lines.findLastIndex((line) => isSignInAddress(addressIn(line), line, lines))
  const url = at === -1 ? undefined : addressIn(lines[at] ?? '')
  if (url !== undefined) return { url, code }
  // The program has shown in another way where the code is entered.
  return code !== undefined && lines.some((line) => AUTHORIZE.test(line)) ? { code } : undefined
}

function addressIn(line: string): string | undefined {
  const address = ADDRESS.exec(line)?.[0].replace(/[.,;:!?)\]}*]+$/u, '')
  if (address === undefined || !URL.canParse(address)) return undefined
  return address.startsWith('https:') || LOOPBACK.test(`${address}/`) ? address : undefined
}

function isSignInAddress(
  address: string | undefined,
  line: string,
  lines: readonly string[],
): boolean {
  if (address === undefined) return false
  const words = line.replace(address, ' ')
  const before = lines.slice(Math.max(0, lines.indexOf(line) - 3), lines.indexOf(line))
  const isAlone = !/[a-z]{3}/iu.test(words.replace(/^\W*\[[^\]]{0,30}\]/u, ''))
  const message = [...(isAlone ? before : []), words]
    .filter((text) => !ADDRESS.test(text))
    .join(' ')
  if (ABOUT.test(message) || LISTENING.test(words)) return false
  if (AUTHORIZE.test(message) && (ACT.test(message) || /[:>]\s*$/u.test(message.trimEnd())))
    return true
  return ACT.test(message) && SIGN_IN_ADDRESS.test(address)
}

function codeIn(lines: readonly string[]): string | undefined {
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = (lines[at] ?? '').replace(ADDRESS, ' ')
    if (OTHER_CODE.test(line)) continue
    const inLine = CODE_IN_LINE.exec(line)?.[1]
    if (inLine !== undefined && IS_CODE.test(inLine)) return inLine
    const alone = ABOUT_CODE.test(lines[at - 1] ?? '') ? CODE_ALONE.exec(line)?.[1] : undefined
    if (alone !== undefined) return alone
  }
  return undefined
}
