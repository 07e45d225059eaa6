import { buildLaunchPlan } from '../../src-main/core/launch/building/build-launch-plan'
import { toPreview } from '../../src-main/core/launch/building/launch-preview'
import type { FieldValues } from '../../src-shared/domain/server-json/field-values'
import type { Offer } from '../../src-shared/domain/server-json/offer'
import { parseServerJson } from '../../src-shared/domain/server-json/parse-server-json'
import type { FormField } from '../../src-shared/form/form-field'
import { findProblems } from '../../src-shared/form/form-schema'
import { fieldsOfOffer } from '../../src-shared/form/to-form-fields'
import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { type Bar, toRow } from '../measure/row'
import { readEntries } from './entries'

const BAR: Bar = { metric: 'plan-median-ms', unit: 'ms', op: '<=', bar: 1 }

type Filled = { readonly raw: unknown; readonly values: readonly FieldValues[] }

/**
 * What one entry costs from its JSON to the preview of its command: reading it, and of each of its packages
 * and remotes the form, the check of a filled-in form, the plan and its preview. The median over all entries
 * that have any, in ms.
 */
export const planSpeed: BenchPart = ({ rounds }) => {
  const entries = readEntries().flatMap((raw): Filled[] => {
    const values = offersIn(raw).map((offer) => filled(fieldsOfOffer(offer)))
    return values.length === 0 ? [] : [{ raw, values }]
  })
  const medians: number[] = []
  // The first round warms up and is dropped.
  for (let round = 0; round <= rounds; round += 1) {
    const times = entries.map(timeOf)
    if (round > 0) medians.push(median(times))
  }
  const row = toRow(BAR, median(medians))
  return Promise.resolve([{ row, rounds: { 'entry to preview': medians }, roundUnit: 'ms' }])
}

function timeOf({ raw, values }: Filled): number {
  const begin = performance.now()
  for (const [index, offer] of offersIn(raw).entries()) {
    const given = values[index] ?? {}
    toPreview(
      buildLaunchPlan(offer, given, new Map()),
      findProblems(fieldsOfOffer(offer), given, []),
    )
  }
  return performance.now() - begin
}

/** Bundles are left out: their command comes with their file. */
function offersIn(raw: unknown): Offer[] {
  const { packages, remotes } = parseServerJson(raw).server
  return [
    ...packages
      .filter(({ registryType }) => registryType !== 'mcpb')
      .map((pkg): Offer => ({ kind: 'package', pkg })),
    ...remotes.map((remote): Offer => ({ kind: 'remote', remote })),
  ]
}

function filled(fields: readonly FormField[]): FieldValues {
  const sample = ({ control, choices }: FormField): string => {
    if (control === 'choice') return choices[0] ?? ''
    if (control === 'number') return '8080'
    return control === 'switch' ? 'true' : 'x'
  }
  return Object.fromEntries(fields.map((field) => [field.key, sample(field)]))
}
