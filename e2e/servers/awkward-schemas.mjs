// A server with 60 tools whose schemas are awkward in 60 ways; each returns its arguments as text and as structured content. Valid and
// invalid arguments are listed next to each, for the tests of the form.
import { fileURLToPath } from 'node:url'

import { respond, serveTools } from './mcp-server.mjs'

const object = (properties, rest = {}) => ({ type: 'object', properties, ...rest })
const one = (schema, rest = {}) => object({ value: schema }, { required: ['value'], ...rest })
const value = (good, bad) => ({ good: { value: good }, bad: { value: bad } })
const texts = { type: 'string' }
const tree = {
  type: 'object',
  properties: { name: texts, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['name'],
}
const words = Array.from({ length: 5_000 }, (_, index) => `word-${index}`)
const deep = (depth) =>
  depth === 0 ? texts : object({ next: deep(depth - 1) }, { required: ['next'] })
const deepValue = (depth, end) => (depth === 0 ? end : { next: deepValue(depth - 1, end) })
/** Doubles what has to be looked at with every level. */
const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => [
    `l${level}`,
    level === 39 ? texts : { allOf: [1, 2].map(() => ({ $ref: `#/$defs/l${level + 1}` })) },
  ]),
)
const MARKUP =
  '<img src="http://127.0.0.1:9/x.png" onerror="alert(1)"> **bold** [link](javascript:alert(1))'

/** By the names of their tools: the schema, arguments that fit it, and some that do not; `bad` is missing where all fit. */
export const AWKWARD = {
  // Of one type each.
  text: { schema: one({ ...texts, minLength: 2, maxLength: 5 }), ...value('abc', 'a') },
  pattern: { schema: one({ ...texts, pattern: '^[a-z]+-\\d+$' }), ...value('ab-12', 'ab') },
  hostile_pattern: {
    schema: one({ ...texts, pattern: '^(a+)+$' }),
    good: { value: `${'a'.repeat(40)}!` },
  },
  broken_pattern: { schema: one({ ...texts, pattern: '[unclosed' }), good: { value: 'any' } },
  number: {
    schema: one({ type: 'number', minimum: 0, maximum: 10, multipleOf: 0.5 }),
    ...value(2.5, 11),
  },
  integer: { schema: one({ type: 'integer' }), ...value(9_007_199_254_740_991, 1.5) },
  yes_no: { schema: one({ type: 'boolean' }), ...value(false, 'false') },
  only_null: { schema: one({ type: 'null' }), ...value(null, 0) },
  const_text: { schema: one({ const: 'fixed' }), ...value('fixed', 'other') },
  const_falsy: { schema: one({ const: 0 }), ...value(0, 1) },
  const_object: { schema: one({ const: { a: [1] } }), ...value({ a: [1] }, { a: [2] }) },
  choice: { schema: one({ ...texts, enum: ['low', 'high', ''] }), ...value('', 'middle') },
  mixed_choice: {
    schema: one({ enum: ['one', 2, true, null, { a: 1 }] }),
    ...value({ a: 1 }, '2'),
  },
  number_choice: { schema: one({ type: 'integer', enum: [1, 2, 3] }), ...value(2, '2') },
  huge_choice: { schema: one({ ...texts, enum: words }), ...value('word-4321', 'word-5000') },
  titled_choice: {
    schema: one({
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    }),
    ...value('g', 'Green'),
  },
  date: { schema: one({ ...texts, format: 'date' }), ...value('2026-03-31', '2026-02-31') },
  date_time: {
    schema: one({ ...texts, format: 'date-time' }),
    ...value('2026-03-31T14:30:00Z', 'today'),
  },
  email: { schema: one({ ...texts, format: 'email' }), ...value('a@example.org', 'a@') },
  address: {
    schema: one({ ...texts, format: 'uri' }),
    ...value('https://example.org/a?b#c', 'example'),
  },
  odd_format: { schema: one({ ...texts, format: 'phase-of-the-moon' }), good: { value: 'full' } },
  // Lists.
  list: {
    schema: one({ type: 'array', items: texts, minItems: 1, maxItems: 3 }),
    ...value(['a'], []),
  },
  unique: {
    schema: one({ type: 'array', items: { type: 'number' }, uniqueItems: true }),
    ...value([1, 2], [1, 1]),
  },
  several: {
    schema: one({ type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true }),
    ...value(['a', 'c'], ['d']),
  },
  tuple: {
    schema: one({
      type: 'array',
      prefixItems: [texts, { type: 'number' }],
      items: { type: 'boolean' },
    }),
    ...value(['a', 1, true], ['a', 'b']),
  },
  old_tuple: {
    schema: one({ type: 'array', items: [texts, { type: 'number' }] }),
    ...value(['a', 1], [1, 'a']),
  },
  list_of_objects: {
    schema: one({ type: 'array', items: object({ x: { type: 'number' } }, { required: ['x'] }) }),
    ...value([{ x: 1 }], [{}]),
  },
  list_of_lists: {
    schema: one({ type: 'array', items: { type: 'array', items: { type: 'integer' } } }),
    ...value([[1], []], [[1.5]]),
  },
  bare_list: { schema: one({ type: 'array' }), ...value([1, 'a', {}], 'no list') },
  contains: { schema: one({ type: 'array', contains: { const: 1 } }), ...value([0, 1], [0]) },
  // Objects.
  inner: {
    schema: object(
      { box: object({ size: { type: 'number' } }, { required: ['size'] }) },
      { required: ['box'] },
    ),
    good: { box: { size: 1 } },
    bad: { box: {} },
  },
  optional_inner: {
    schema: object({
      box: object({ size: { type: 'number', default: 3 } }, { required: ['size'] }),
    }),
    good: {},
    bad: { box: {} },
  },
  open: {
    schema: object({ known: texts }, { additionalProperties: { type: 'number' } }),
    good: { known: 'a', other: 1 },
    bad: { other: 'a' },
  },
  closed: {
    schema: object({ known: texts }, { additionalProperties: false }),
    good: {},
    bad: { other: 1 },
  },
  by_pattern: {
    schema: { type: 'object', patternProperties: { '^x-': texts }, additionalProperties: false },
    good: { 'x-a': 'b' },
    bad: { y: 'b' },
  },
  hostile_names: {
    schema: {
      type: 'object',
      patternProperties: { '^(x+)+$': texts },
      additionalProperties: false,
    },
    good: { [`${'x'.repeat(40)}!`]: 1 },
  },
  short_names: {
    schema: { type: 'object', propertyNames: { maxLength: 3 }, additionalProperties: true },
    good: { abc: 1 },
    bad: { abcd: 1 },
  },
  many_members: {
    schema: object(
      Object.fromEntries(
        Array.from({ length: 200 }, (_, index) => [
          `member_${index}`,
          {
            type: index % 3 === 0 ? 'number' : 'string',
            description: `The member ${index}`,
            ...(index === 150 && { default: 7 }),
          },
        ]),
      ),
      { required: ['member_0'] },
    ),
    good: { member_0: 1, member_199: 'a' },
    bad: { member_0: 'a' },
  },
  odd_names: {
    schema: object(
      { 'a b': texts, 'a/b~c': texts, 'a.b': texts, '': texts, 'größe "x"': texts },
      { required: ['a b'] },
    ),
    good: { 'a b': 'x', 'a/b~c': 'y', '': 'z' },
    bad: { 'a/b~c': 1 },
  },
  names_of_objects: {
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"type":"number"}},"required":["constructor"]}',
    ),
    good: { constructor: 'a' },
    bad: { constructor: 1 },
  },
  depends: {
    schema: object({ card: texts, street: texts }, { dependentRequired: { card: ['street'] } }),
    good: { card: '1', street: 'a' },
    bad: { card: '1' },
  },
  depends_schema: {
    schema: object(
      { kind: { enum: ['a', 'b'] } },
      { dependentSchemas: { kind: object({ extra: texts }, { required: ['extra'] }) } },
    ),
    good: { kind: 'a', extra: 'b' },
    bad: { kind: 'a' },
  },
  // Kinds to choose from.
  one_of: {
    schema: one({
      oneOf: [
        object({ kind: { const: 'circle' }, r: { type: 'number' } }, { required: ['kind', 'r'] }),
        object({ kind: { const: 'square' }, a: { type: 'number' } }, { required: ['kind', 'a'] }),
      ],
    }),
    ...value({ kind: 'square', a: 2 }, { kind: 'square', r: 2 }),
  },
  any_of: { schema: one({ anyOf: [texts, { type: 'number' }] }), ...value(1, true) },
  all_of: {
    schema: {
      type: 'object',
      allOf: [one(texts), object({ more: { type: 'number' } }, { required: ['more'] })],
    },
    good: { value: 'a', more: 1 },
    bad: { value: 'a' },
  },
  not: { schema: one({ ...texts, not: { const: 'forbidden' } }), ...value('a', 'forbidden') },
  if_then: {
    schema: {
      ...object({ country: { enum: ['de', 'us'] }, code: texts }, { required: ['country'] }),
      if: { properties: { country: { const: 'us' } } },
      then: { required: ['code'] },
    },
    good: { country: 'de' },
    bad: { country: 'us' },
  },
  nullable: {
    schema: object({
      a: { anyOf: [texts, { type: 'null' }], default: null },
      b: { type: ['integer', 'null'] },
      c: { ...texts, nullable: true },
    }),
    good: { a: null, b: null, c: null },
    bad: { b: 'x' },
  },
  several_types: { schema: one({ type: ['string', 'number', 'boolean'] }), ...value(true, []) },
  anything: {
    schema: object({ any: {}, yes: true }, { required: ['any'] }),
    good: { any: { a: [1] } },
    bad: {},
  },
  nothing: { schema: object({ no: false, a: texts }), good: { a: 'b' }, bad: { no: 1 } },
  // References.
  recursive: {
    schema: { ...one({ $ref: '#/$defs/tree' }), $defs: { tree } },
    ...value({ name: 'a', children: [{ name: 'b' }] }, { name: 'a', children: [{}] }),
  },
  many_selves: {
    schema: object(
      {
        name: texts,
        ...Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`m${index}`, { $ref: '#' }]),
        ),
      },
      { required: ['name'] },
    ),
    good: { name: 'a', m0: { name: 'b', m19: { name: 'c' } } },
    bad: { name: 'a', m0: {} },
  },
  endless: {
    schema: { ...one({ $ref: '#/$defs/a' }), $defs: { a: { $ref: '#/$defs/a' } } },
    good: { value: 1 },
  },
  doubling: { schema: { ...one({ $ref: '#/$defs/l0' }), $defs: doubling }, good: { value: 'a' } },
  remote: { schema: one({ $ref: 'https://127.0.0.1:9/schema.json' }), good: { value: 'a' } },
  // What comes with a schema.
  defaults: {
    schema: object(
      {
        text: { ...texts, default: 'hello' },
        count: { type: 'integer', default: 0 },
        flag: { type: 'boolean', default: false },
        list: { type: 'array', items: texts, default: ['a'] },
        wrong: { type: 'integer', default: 'seven' },
        example: { ...texts, examples: ['first', 'second'] },
        markup: { ...texts, title: MARKUP, description: MARKUP },
        fixed: { ...texts, readOnly: true, default: 'as it is' },
      },
      { required: ['count'] },
    ),
    good: { text: 'hello', count: 0 },
    bad: { count: 'x' },
  },
  deep: { schema: one(deep(30)), ...value(deepValue(30, 'end'), deepValue(29, 'end')) },
  // No schemas at all.
  no_schema: { schema: undefined, good: { any: 1 } },
  invalid: { schema: { type: 'object', properties: ['a'], required: 'a' }, good: { any: 1 } },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const listed = Object.entries(AWKWARD).map(([name, { schema }]) => ({
    name,
    description: `Takes ${name.replaceAll('_', ' ')}.`,
    inputSchema: schema,
  }))
  serveTools([], {
    takesOver: () => true,
    onRequest: ({ id, method, params }) => {
      if (id === undefined) return
      const answer = answerTo(method, params)
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
    },
  })

  function answerTo(method, params) {
    if (method === 'tools/list') return { result: { tools: listed } }
    const isCall = method === 'tools/call' && Object.hasOwn(AWKWARD, params.name)
    if (!isCall) return respond([], { method, params })
    const structuredContent = params.arguments ?? {}
    const text = JSON.stringify(structuredContent)
    return { result: { content: [{ type: 'text', text }], structuredContent } }
  }
}
