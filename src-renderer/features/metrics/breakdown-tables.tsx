import type { JSX } from 'react'

import type { ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { formatCount, formatDuration } from '../../ui/text/format'
import { PHASE_WORD } from '../../ui/text/status-messages'

function PhaseTable({ phases }: Pick<ServerMetrics, 'phases'>): JSX.Element {
  return (
    <section aria-labelledby="figures-phases">
      <h2 id="figures-phases">Startup time by step</h2>
      <table className="grid-table" aria-labelledby="figures-phases">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className="right">
              Times
            </th>
            <th scope="col" className="right">
              Median
            </th>
            <th scope="col" className="right">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ phase, count, medianMs, lastMs }) => (
            <tr key={phase}>
              <th scope="row">{PHASE_WORD[phase]}</th>
              <td className="right num">{formatCount(count)}</td>
              <td className="right num">{formatDuration(medianMs)}</td>
              <td className="right num">{formatDuration(lastMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function ErrorTable({
  errors,
}: {
  readonly errors: ServerMetrics['totals']['errorsByCode']
}): JSX.Element {
  return (
    <section aria-labelledby="figures-errors">
      <h2 id="figures-errors">Errors by code</h2>
      <table className="grid-table" aria-labelledby="figures-errors">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col" className="right">
              Requests
            </th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ code, count }) => (
            <tr key={code}>
              <th scope="row">
                <code>{code}</code>
              </th>
              <td className="right num">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** How long the steps of its starts took, and which errors its requests ended with. */
export function BreakdownTables({ metrics }: { readonly metrics: ServerMetrics }): JSX.Element {
  const { phases, totals } = metrics
  return (
    <>
      {phases.length > 0 && <PhaseTable phases={phases} />}
      {totals.errorsByCode.length > 0 && <ErrorTable errors={totals.errorsByCode} />}
    </>
  )
}
