import { useMemo, useRef, useState } from 'react'

import { asList, isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { resolveRef } from '../../../src-shared/json-schema/resolve-ref'
import { isSameJson } from '../../../src-shared/json-schema/same-json'
import type { ValueProblem } from '../../components/schema-form/checking/problem-messages'
import { checkAgainst } from '../../components/schema-form/checking/validator'
import { type FormModel, formModel } from '../../components/schema-form/reading/form-schema'
import {
  faultMessage,
  getOwn,
  prettyJson,
  rawPaths,
  readJson,
  setOwn,
  stringsOf,
  withoutUnset,
} from '../../components/schema-form/reading/json-text'
import { readDraft, storeDraft } from './drafts'

/** The input for a tool, restored when its page opens again. */
type ToolDraft = {
  readonly tab: 'form' | 'json'
  /** In the form's representation. */
  readonly values: unknown
  /** As typed; undefined until then. */
  readonly text: string | undefined
  /** Whether the input changed since it was last sent. */
  readonly isUnsent: boolean
}

type Arguments = Readonly<Record<string, unknown>>
type Tab = ToolDraft['tab']

/** The input for a tool, by form or as JSON, and its problems. */
export type ToolArguments = {
  readonly model: FormModel
  readonly tab: Tab
  readonly text: string
  /** Initial values of the form, and its edition: a new edition resets the form. */
  readonly start: Arguments
  readonly edition: number
  readonly problems: readonly ValueProblem[]
  /** Syntax error of the JSON text, as a sentence. */
  readonly fault: string | undefined
  /** Whether the schema was checked completely; otherwise the server decides. */
  readonly isChecked: boolean
  readonly changeForm: (values: unknown) => void
  readonly changeText: (text: string) => void
  readonly changeTab: (tab: Tab) => void
  /** Fills in other values; returns an undo if unsent input would be lost. */
  readonly fill: (values: Arguments) => (() => void) | undefined
  /** Returns the arguments to send; undefined if they have problems, which are then shown. */
  readonly take: () => Arguments | undefined
  /** Called after sending: the input is now in the history. */
  readonly sent: () => void
}

type State = Pick<
  ToolArguments,
  'tab' | 'text' | 'start' | 'edition' | 'problems' | 'fault' | 'isChecked'
> & {
  readonly wasTried: boolean
}

type Read = { readonly values: Arguments } | { readonly fault: string }

/** Parses arguments from JSON text; an empty text means no arguments. */
function readArguments(text: string): Read {
  if (text.trim() === '') return { values: {} }
  const read = readJson(text)
  if (read.kind === 'fault') return { fault: faultMessage(read) }
  return isJsonObject(read.value)
    ? { values: read.value }
    : { fault: 'Line 1, column 1: expected an object, such as {"name": "value"}.' }
}

type Check = Pick<State, 'problems' | 'isChecked'>
const FITS: Check = { problems: [], isChecked: true }

function modelsOf(inputSchema: unknown): {
  readonly model: FormModel
  readonly begin: Arguments
  readonly check: (values: unknown) => Check
} {
  const model = formModel(inputSchema)
  const schema = inputSchema ?? true
  const check = (values: unknown): Check => {
    const unread = rawPaths(values).map((path) => ({ path, message: 'Enter valid JSON.' }))
    return unread.length > 0 ? { problems: unread, isChecked: true } : checkAgainst(schema, values)
  }
  const isFit = (part: unknown, value: unknown): boolean =>
    checkAgainst(part, value, schema).problems.length === 0
  const begin = model.kind === 'fields' ? startValues(model.schema, isFit) : {}
  return { model, begin, check }
}

function firstState(draft: ToolDraft | undefined, defaults: Arguments, model: FormModel): State {
  const values = isJsonObject(draft?.values) ? draft.values : defaults
  return {
    ...FITS,
    tab: model.kind === 'raw' ? 'json' : (draft?.tab ?? 'form'),
    text: draft?.text ?? prettyJson(withoutUnset(values)),
    start: values,
    edition: 0,
    fault: undefined,
    wasTried: false,
  }
}

type EditContext = {
  readonly state: State
  /** Whether the input changed since it was last sent. */
  readonly isUnsent: { current: boolean }
  readonly change: (next: Partial<State>) => void
  /** In the form's representation. */
  readonly values: { current: unknown }
  readonly check: (values: unknown) => Check
}

function toJson({ state, change, values }: EditContext): void {
  const current = withoutUnset(values.current)
  const read = readArguments(state.text)
  // Keeps the typed text if its value is unchanged.
  const isUnchanged = 'values' in read && isSameJson(read.values, current)
  change({ tab: 'json', ...FITS, text: isUnchanged ? state.text : prettyJson(current) })
}

function toForm({ state, change, values }: EditContext): void {
  const read = readArguments(state.text)
  if ('fault' in read) {
    change({ fault: read.fault })
    return
  }
  if (!isSameJson(read.values, withoutUnset(values.current))) values.current = read.values
  const start = isJsonObject(values.current) ? values.current : read.values
  const edition = state.edition + 1
  change({ tab: 'form', ...FITS, fault: undefined, start, edition, wasTried: false })
}

function typeText({ state, isUnsent, change, values }: EditContext, text: string): void {
  const read = readArguments(text)
  if ('values' in read) values.current = read.values
  isUnsent.current = true
  const isStillWrong = state.fault !== undefined && 'fault' in read
  change({ text, ...FITS, fault: isStillWrong ? read.fault : undefined })
}

/** Returns the JSON arguments, which main parses like those of an agent. Schema problems are shown next to them. */
function collectJson({ state, change, values, check }: EditContext): Arguments | undefined {
  const read = readArguments(state.text)
  if ('fault' in read) {
    change({ fault: read.fault, ...FITS })
    return undefined
  }
  values.current = read.values
  change({ fault: undefined, ...check(read.values) })
  return read.values
}

function collectForm({ change, values, check }: EditContext): Arguments | undefined {
  const current = withoutUnset(values.current)
  const checked = check(current)
  const isRejected = checked.problems.length > 0
  change({ ...checked, wasTried: isRejected })
  return !isRejected && isJsonObject(current) ? current : undefined
}

/** Manages the input for a tool. Typing in a field rerenders only that field until a call was rejected for problems. */
export function useToolArguments(
  tool: { readonly installationId: string; readonly name: string },
  inputSchema: unknown,
): ToolArguments {
  const { installationId, name } = tool
  const { model, begin: defaults, check } = useMemo(() => modelsOf(inputSchema), [inputSchema])
  const key = [installationId, 'tool', name] as const
  const [draft] = useState(() => readDraft(key) as ToolDraft | undefined)
  const [state, setState] = useState(() => firstState(draft, defaults, model))
  const values = useRef<unknown>(state.start)
  const isUnsent = useRef(draft?.isUnsent ?? false)
  const updateDraft = ({ tab, text }: Pick<ToolDraft, 'tab' | 'text'>): void =>
    storeDraft(key, {
      tab,
      text,
      values: values.current,
      isUnsent: isUnsent.current,
    } satisfies ToolDraft)
  const change = (next: Partial<State>): void => {
    updateDraft({ ...state, ...next })
    setState((before) => ({ ...before, ...next }))
  }
  const context: EditContext = { state, isUnsent, change, values, check }
  const changeForm = (changed: unknown): void => {
    // The form also reports values that it adds automatically.
    if (!isSameJson(withoutUnset(changed), withoutUnset(values.current))) isUnsent.current = true
    values.current = changed
    if (state.wasTried) change(check(withoutUnset(changed)))
    else updateDraft({ tab: state.tab, text: undefined })
  }
  const refill = ({ tab, text }: Pick<State, 'tab' | 'text'>, filled: unknown): void => {
    values.current = filled
    updateDraft({ tab, text })
    const start = isJsonObject(filled) ? filled : {}
    const initial = { ...FITS, tab, text, start, fault: undefined, wasTried: false }
    setState((before) => ({ ...before, ...initial, edition: before.edition + 1 }))
  }
  const fill = (next: Arguments): (() => void) | undefined => {
    const [before, isLost] = [values.current, isUnsent.current]
    isUnsent.current = false
    refill({ tab: state.tab, text: prettyJson(next) }, next)
    return isLost
      ? () => {
          isUnsent.current = true
          refill(state, before)
        }
      : undefined
  }
  return {
    model,
    ...state,
    changeForm,
    changeText: (text) => typeText(context, text),
    changeTab: (tab) => (tab === 'json' ? toJson(context) : toForm(context)),
    fill,
    take: () => (state.tab === 'json' ? collectJson(context) : collectForm(context)),
    sent: () => {
      isUnsent.current = false
      updateDraft(state)
    },
  }
}

/** Maximum depth of values that are filled in initially. */
const DEEPEST = 4
/** Maximum number of visited values; deeply recursive schemas are left to the user. */
const MAX_PLACES = 1_000

type Start = {
  readonly root: JsonObject
  readonly isFit: (schema: JsonObject, value: unknown) => boolean
  places: number
}

/** Returns the schema that a field refers to, with the field's own default. */
function resolved(schema: unknown, root: JsonObject): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const { $ref, ...rest } = schema
  if ($ref === undefined) return schema
  const target = resolveRef(root, $ref)
  return isJsonObject(target) ? { ...target, ...rest } : undefined
}

function membersOf(schema: JsonObject, start: Start, depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const part of [schema, ...asList(schema.allOf)]) {
    const resolvedPart = resolved(part, start.root)
    if (resolvedPart === undefined) continue
    const required = stringsOf(resolvedPart.required)
    for (const [name, one] of Object.entries(
      isJsonObject(resolvedPart.properties) ? resolvedPart.properties : {},
    )) {
      const value = initialValue(one, start, {
        isRequired: required.includes(name),
        depth: depth + 1,
      })
      if (value !== undefined && getOwn(made, name) === undefined) setOwn(made, name, value)
    }
  }
  return made
}

type At = { readonly isRequired: boolean; readonly depth: number }

/** Returns the value of a required member: its only choice, or an empty container. */
function requiredValue(schema: JsonObject, start: Start, depth: number): unknown {
  const { enum: values, type } = schema
  if (Array.isArray(values) && values.length === 1) return structuredClone(values[0] as unknown)
  if (type === 'object') return membersOf(schema, start, depth)
  return type === 'array' && start.isFit(schema, []) ? [] : undefined
}

function initialValue(field: unknown, start: Start, { isRequired, depth }: At): unknown {
  start.places += 1
  if (depth > DEEPEST || start.places > MAX_PLACES) return undefined
  const schema = resolved(field, start.root)
  if (schema === undefined) return undefined
  const { default: standard } = schema
  if (standard !== undefined && start.isFit(schema, standard)) return structuredClone(standard)
  return isRequired ? requiredValue(schema, start, depth) : undefined
}

/**
 * Returns the initial values of a form: valid defaults, required values without an alternative, and their containers. Optional values
 * without a default are omitted. `root` is the schema of a form (`formModel`).
 */
export function startValues(root: JsonObject, isFit: Start['isFit']): Record<string, unknown> {
  return membersOf(root, { root, isFit, places: 0 }, 0)
}
