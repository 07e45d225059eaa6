import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { terminalOption, withoutTerminal } from './terminal-option'

function fixed(line: string): string | undefined {
  const [command = '', ...args] = line.split(' ')
  const option = terminalOption(command, args)
  return option && [command, ...withoutTerminal(args, option, (text) => text)].join(' ')
}

describe('S17: options that need a terminal', () => {
  it.each([
    ['docker run -it --rm notes', 'docker run -i --rm notes'],
    ['docker run -ti notes -it', 'docker run -i notes -it'],
    ['docker run -i -t notes', 'docker run -i notes'],
    ['docker run -i --tty notes', 'docker run -i notes'],
    ['docker run -e -t --tty=true notes', 'docker run -e -t notes'],
    [
      'docker --context home container run -dit notes',
      'docker --context home container run -di notes',
    ],
    ['/usr/bin/podman exec -it box notes', '/usr/bin/podman exec -i box notes'],
    ['nerdctl run -v /a:/b -t notes', 'nerdctl run -v /a:/b notes'],
    ['docker compose run --rm notes', 'docker compose run -T --rm notes'],
    ['docker compose -f a.yml exec notes serve', 'docker compose -f a.yml exec -T notes serve'],
    ['ssh -tt -p 22 host notes', 'ssh -p 22 host notes'],
  ])('are found in "%s"', (line, without) => {
    expect(fixed(line)).toBe(without)
  })

  it.each([
    'docker run -i --rm notes -t',
    'docker run -e -t -i notes',
    'docker run --name -it -i notes',
    'docker run --tty=false -i notes',
    'docker pull -t notes',
    'docker compose run -T notes',
    'docker compose up notes',
    'docker run -i -- notes -t',
    'docker compose run --no-TTY notes',
    'npx -y notes -it',
    'ssh host notes -t',
  ])('are not found in "%s"', (line) => {
    expect(fixed(line)).toBeUndefined()
  })

  it.each([
    ['docker run --rm notes', 'docker run -i --rm notes'],
    ['docker exec box notes', 'docker exec -i box notes'],
    ['podman --remote run -e A=b notes -i', 'podman --remote run -i -e A=b notes -i'],
    ['docker run -d --rm notes', 'docker run --rm notes'],
    ['docker run -di notes', 'docker run -i notes'],
    ['docker run -i --detach notes', 'docker run -i notes'],
  ])('include what keeps a container from its stdin in "%s"', (line, better) => {
    expect(fixed(line)).toBe(better)
  })

  it.each([
    'docker run -i notes -d',
    'docker run --interactive notes',
    'docker run -qi notes',
    'docker run --rm',
  ])('do not include "%s", which has its stdin, or no image yet', (line) => {
    expect(fixed(line)).toBeUndefined()
  })

  it('are not searched after the image, and one change leaves no second option to find', () => {
    const own = fc.array(fc.string({ minLength: 1 }))
    fc.assert(
      fc.property(own, fc.constantFrom('-it', '-t', '--tty', '-dti'), (rest, option) => {
        const args = ['run', option, 'image', ...rest]
        const found = terminalOption('docker', args)
        let left = found ? withoutTerminal(args, found, (text) => text) : []
        for (let next = terminalOption('docker', left); next; next = terminalOption('docker', left))
          left = withoutTerminal(left, next, (text) => text)
        expect(left).toEqual(['run', '-i', 'image', ...rest])
      }),
    )
  })
})
