import { FolderOpen, Globe, KeyRound, SquareTerminal, TextCursorInput } from 'lucide-react'
import type { ReactElement } from 'react'

import type { Package } from '../../../src-shared/domain/server-json'
import type { Asks } from './entry-facts'
import { asksOf, kindLabel, namesOf, runnerOf } from './entry-facts'

function secretSentence({ secrets }: Asks): string {
  const needed = secrets.filter(({ required }) => required)
  const optional = secrets.filter(({ required }) => !required)
  const sentences = [
    needed.length > 0 ? `Needs a secret: ${namesOf(needed)}.` : 'Needs no secrets.',
    optional.length > 0 ? `Can use ${namesOf(optional)}.` : '',
  ]
  return sentences.filter(Boolean).join(' ')
}

/** What a person should know before this runs. */
export function EntryReach({ pack }: { readonly pack: Package }): ReactElement {
  const asks = asksOf(pack)
  const plain = asks.fields.filter(({ secret, control }) => !secret && control !== 'path')
  const runner = runnerOf(pack)
  return (
    <section aria-labelledby="reach">
      <div className="section-head">
        <h3 id="reach">Before you install</h3>
      </div>
      <ul className="reach">
        <li>
          <SquareTerminal className="icon" aria-hidden />
          <span>
            {runner === undefined ? (
              `A ${kindLabel(pack.registryType)} package.`
            ) : (
              <>
                Runs on this computer through <b className="strong">{runner}</b>, with your
                account&apos;s rights.
              </>
            )}
          </span>
        </li>
        {asks.paths.length > 0 ? (
          <li>
            <FolderOpen className="icon" aria-hidden />
            <span>
              Asks for paths: {namesOf(asks.paths)}. Whether it stays inside them is up to the
              server.
            </span>
          </li>
        ) : null}
        {plain.length > 0 ? (
          <li>
            <TextCursorInput className="icon" aria-hidden />
            <span>Asks for {namesOf(plain)}.</span>
          </li>
        ) : null}
        <li>
          <KeyRound className="icon" aria-hidden />
          <span>{secretSentence(asks)}</span>
        </li>
        <li>
          <Globe className="icon" aria-hidden />
          <span>Network: not declared. The registry does not check this.</span>
        </li>
      </ul>
    </section>
  )
}
