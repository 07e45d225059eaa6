// `npm run check:words [-- FILE…]`: checks spelling (US English) and retired words in texts for users and models: strings of the sources,
// and the docs. Also finds retired words in the names of source files and declarations.
import { glob, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'

import { mergeSettings, readSettings, spellCheckDocument } from 'cspell-lib'
import ts from 'typescript'

import { ROOT } from './toolchain.mjs'

const SOURCES = 'src-{main,renderer,shared}/**/*.{ts,tsx}'
const DOCS = ['*.md', 'docs/**/*.md']
/** Retired phrases with their replacements. Words are `flagWords` of cspell.json. */
const PHRASES = [
  [/\bby (?:hand|itself|themselves)\b/giu, 'manually or automatically'],
  [/\bat once\b/giu, 'immediately, or together'],
  [/\bset aside\b/giu, 'ignored or moved'],
  [/\bh(?:e|o)ld(?:s|ing)? back\b|\bheld back\b/giu, 'needs review'],
  [/\b(?:look|read|check) again\b/giu, 'Refresh'],
  [/\bback(?:s|ing)? off\b/giu, 'retrying'],
]
/** Retired words in the names of files and declarations, with their replacements. */
const NAMES = {
  asked: 'the field that is meant, such as elicitation or query',
  asker: 'requestOrigin or caller',
  asking: 'options, or open',
  bag: 'JsonObject',
  bond: 'credentialScope',
  comeback: 'RestartScheduler',
  desks: 'harnesses',
  desk: 'what it holds: queue, form, files, harness',
  doubt: 'warning',
  doubts: 'warnings',
  doubles: 'duplicates',
  era: 'protocolMode',
  favourite: 'favorite',
  favourites: 'favorites',
  figures: 'metrics',
  judge: 'review, decide or validate',
  judged: 'reviewed',
  lately: 'recentEvents',
  leftovers: 'endingSessions',
  mend: 'repair',
  mended: 'repaired',
  mends: 'repairs',
  needs: 'attention, or requires',
  news: 'notifications or events',
  placed: 'resolved',
  question: 'userRequest, elicitation, approval, or query',
  questions: 'userRequests or queries',
  sentence: 'message',
  sentences: 'messages',
  serving: 'live',
  settle: 'decide or finish',
  shelf: 'cache or folder',
  spot: 'fieldPath or path',
  standing: 'exposure or registryStatus',
  standings: 'statuses',
  strangers: 'unauthenticated',
  tally: 'counter',
  told: 'what was received',
  traffic: 'messages',
  trial: 'toolRun',
  trouble: 'problem',
  upkeep: 'sync',
  verdict: 'decision',
  weave: 'interpolate',
  whose: 'owner',
  wish: 'command or options',
}
/** Retired only in the names of files and exports. */
const EXPORTS_ONLY = new Set([
  'asked',
  'asking',
  'needs',
  'question',
  'questions',
  'sentence',
  'settle',
])
const DECLARED =
  /(^export )?\b(?:abstract |async )?(?:class|function|const|let|type|interface|enum) ([A-Za-z0-9_]+)/gmu
/** Attributes and members with code instead of prose. */
const CODE =
  /^(?:className|class|href|to|key|id|htmlFor|role|type|src|d|viewBox|data-.*|style|pattern|sql|source)$/u
const SQL =
  /^\s*(?:--|SELECT|INSERT|CREATE|UPDATE|DELETE|WITH|PRAGMA|DROP|ALTER|BEGIN|COMMIT|VACUUM|WHERE|AND|ORDER|JOIN|FROM|VALUES)\b/u

/** Whether a string is a sentence or label, not code. */
function isProse(text) {
  if (SQL.test(text) || /^[a-z\d][\w.-]*$/u.test(text)) return false
  return /[A-Za-z]{2}[,.:;)]?\s+[\w"“]/u.test(text) || /^[A-Z][a-z]+[.…]?$/u.test(text)
}

/** A page without its code, and without test titles. */
function withoutCode(text) {
  const code = /```[\s\S]*?```|`[^`\n]+\.(?:test|spec)\.ts`: [^|\n]+|`[^`\n]+`/gu
  return text.replaceAll(code, (found) => found.replaceAll(/[^\n]/gu, ' '))
}

/** The file with all non-prose blanked, so that lines and columns stay. */
function proseOf(name, text) {
  const kind = name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind)
  const shown = []
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isLiteralTypeNode(node) || ts.isTaggedTemplateExpression(node)) return
    const member =
      ts.isJsxAttribute(node) || ts.isPropertyAssignment(node) ? node.name.getText() : ''
    if (CODE.test(member)) return
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node)
    if (
      ts.isJsxText(node) ||
      ((isText || ts.isTemplateMiddleOrTemplateTail(node)) && isProse(node.text))
    )
      shown.push([node.getStart(), node.end])
    ts.forEachChild(node, visit)
  }
  visit(file)
  let prose = ''
  let at = 0
  for (const [from, to] of shown) {
    prose += text.slice(at, from).replaceAll(/[^\n]/gu, ' ') + text.slice(from, to)
    at = to
  }
  return prose + text.slice(at).replaceAll(/[^\n]/gu, ' ')
}

/** The retired words in a name of any case. */
function retiredIn(name) {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
  return words.filter((word) => Object.hasOwn(NAMES, word))
}

/** Faults in a source file's name and its declarations. */
function nameFaults(name, text) {
  const file = retiredIn(basename(name).replace(/\..*$/u, '')).map((word) => [1, word])
  const declared = [...text.matchAll(DECLARED)].flatMap(({ 1: isExport, 2: found, index }) =>
    retiredIn(found)
      .filter((word) => isExport || !EXPORTS_ONLY.has(word))
      .map((word) => [text.slice(0, index).split('\n').length, word]),
  )
  return [...file, ...declared].map(
    ([line, word]) => `${name}:${line} retired name: ${word} (use: ${NAMES[word]})`,
  )
}

/** Tests and benches: their prose is for developers, but their names are searched by all. */
const TESTS = ['{e2e,bench}/**/*.ts', 'src-*/**/*.test.{ts,tsx}']

const settings = mergeSettings(await readSettings(join(ROOT, 'cspell.json')))
const faults = []
async function check(path) {
  const text = await readFile(path, 'utf8')
  const name = relative(ROOT, path)
  const prose = name.endsWith('.md') ? withoutCode(text) : proseOf(name, text)
  const uri = `file://${path}`
  const { issues } = await spellCheckDocument(
    { uri, text: prose, languageId: 'plaintext', locale: 'en-US' },
    { generateSuggestions: false, noConfigSearch: true },
    settings,
  )
  const lineAt = (offset) => prose.slice(0, offset).split('\n').length
  for (const { text: word, offset, isFlagged } of issues)
    faults.push(`${name}:${lineAt(offset)} ${isFlagged ? 'retired word' : 'unknown word'}: ${word}`)
  if (!name.endsWith('.md')) faults.push(...nameFaults(name, text))
  for (const [pattern, instead] of PHRASES)
    for (const { 0: found, index } of prose.matchAll(pattern))
      faults.push(`${name}:${lineAt(index)} retired phrase: ${found} (use: ${instead})`)
}

const isTest = (path) => /\.(?:test|bench|shots|spec)\.tsx?$|fixtures|samples/u.test(path)
const named = process.argv.slice(2).map((path) => resolve(path))
if (named.length === 0)
  for await (const path of glob([SOURCES, ...DOCS], { cwd: ROOT }))
    if (!isTest(path)) named.push(join(ROOT, path))
const isWhole = process.argv.length === 2
for (const path of named) await check(path)
if (isWhole)
  for await (const path of glob(TESTS, { cwd: ROOT }))
    faults.push(...nameFaults(path, await readFile(join(ROOT, path), 'utf8')))
process.stdout.write(faults.map((fault) => `${fault}\n`).join(''))
process.stdout.write(`${String(faults.length)} words to fix\n`)
process.exitCode = faults.length > 0 ? 1 : 0
