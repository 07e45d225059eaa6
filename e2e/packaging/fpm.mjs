#!/usr/bin/env node
// Stands in for fpm as electron-builder calls it: makes a .deb with dpkg-deb or an .rpm with rpmbuild of folders and files.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Switches without a value; all others take one. */
const FLAGS = new Set(['--force', '--debug'])

const { options, contents } = readArguments(process.argv.slice(2))
const one = (name) => options.get(name)?.at(-1) ?? ''
const staging = mkdtempSync(join(tmpdir(), 'fpm-'))
try {
  const tree = join(staging, 'tree')
  for (const content of contents) place(tree, content)
  if (one('-t') === 'deb') makeDeb(tree)
  else makeRpm(tree)
} finally {
  rmSync(staging, { recursive: true, force: true })
}

function readArguments(args) {
  const options = new Map()
  const contents = []
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]
    if (!word.startsWith('-')) contents.push(word)
    else if (!FLAGS.has(word)) {
      index += 1
      options.set(word, [...(options.get(word) ?? []), args[index]])
    }
  }
  return { options, contents }
}

/** `folder/=/opt/X` puts the folder's content there, `file=/usr/x` the file. */
function place(tree, content) {
  const at = content.lastIndexOf('=')
  const [source, target] = [content.slice(0, at), join(tree, content.slice(at + 1))]
  mkdirSync(dirname(target), { recursive: true })
  cpSync(source, target, { recursive: true, verbatimSymlinks: true })
  if (!statSync(target).isDirectory()) chmodSync(target, 0o644)
}

function makeDeb(tree) {
  const control = join(tree, 'DEBIAN')
  mkdirSync(control)
  const fields = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    Depends: options.get('-d')?.join(', '),
    Recommends: options.get('--deb-recommends')?.join(', '),
    Section: one('--category') || 'default',
    Priority: one('--deb-priority'),
    Homepage: one('--url'),
    License: one('--license'),
    Description: one('--description').trim(),
  }
  const lines = Object.entries(fields).map(([name, value]) => value && `${name}: ${value}`)
  writeFileSync(join(control, 'control'), `${lines.filter(Boolean).join('\n')}\n`)
  for (const [option, name] of [
    ['--after-install', 'postinst'],
    ['--after-remove', 'postrm'],
  ]) {
    writeFileSync(join(control, name), readFileSync(one(option)))
    chmodSync(join(control, name), 0o755)
  }
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, one('--package')])
}

function makeRpm(tree) {
  const spec = [
    `Name: ${one('--name')}`,
    `Version: ${one('--version')}`,
    'Release: 1',
    `Summary: ${one('--rpm-summary') || one('--description')}`,
    `License: ${one('--license')}`,
    `URL: ${one('--url')}`,
    `Vendor: ${one('--vendor')}`,
    'AutoReqProv: no',
    ...(options.get('-d') ?? []).map((name) => `Requires: ${name}`),
    ...['%description', one('--description')],
    ...['%post', readFileSync(one('--after-install'), 'utf8')],
    ...['%postun', readFileSync(one('--after-remove'), 'utf8')],
    ...['%files', '/'],
  ]
  const file = join(staging, 'patchbay.spec')
  writeFileSync(file, spec.join('\n'))
  const macros = {
    _topdir: staging,
    _rpmdir: staging,
    _rpmfilename: 'made.rpm',
    _binary_payload: 'w1.gzdio',
    __os_install_post: '%{nil}',
    _build_id_links: 'none',
  }
  const defines = Object.entries(macros).flatMap(([name, value]) => [
    '--define',
    `${name} ${value}`,
  ])
  run('rpmbuild', ['-bb', '--target', one('--architecture'), '--buildroot', tree, ...defines, file])
  cpSync(join(staging, 'made.rpm'), one('--package'))
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`)
}
