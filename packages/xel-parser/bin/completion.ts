/** Scripts that complete commands, options and files in shells, from the table of commands. */
import type { Command, CommandOption, Program } from "./command.ts";

const SCRIPTS: Readonly<Record<string, (program: Program) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Shells with a completion script. */
export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** The script for a shell; undefined for another shell. */
export const completionOf = (shell: string, program: Program): string | undefined =>
  Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell](program) : undefined;

const optionsOf = ({ options }: Command): [string, CommandOption][] => [
  ...Object.entries(options),
  ["help", { type: "boolean", about: "this command's options" }],
];

const namesOf = (command: Command): string[] => optionsOf(command).map(([name]) => `--${name}`);

function bashScript({ name, commands }: Program): string {
  const cases = commands.flatMap((command) => {
    const choices = optionsOf(command).flatMap(([option, { choices: values }]) =>
      values === undefined ? [] : [`    ${command.name}:--${option}) words="${values.join(" ")}" ;;`],
    );
    const operand = command.choices?.join(" ") ?? "";
    return [
      ...choices,
      `    ${command.name}:*) words="${operand}"; [[ $current == -* ]] && words="${namesOf(command).join(" ")}" ;;`,
    ];
  });
  return `_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((command) => command.name).join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]}" in
${cases.join("\n")}
  esac
  # Without a match, bash completes file names.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _${name} ${name}
`;
}

function zshScript({ name, commands }: Program): string {
  const described = commands.map((command) => `    ${quoted(`${command.name}:${escaped(command.about)}`)}`);
  const cases = commands.map((command) => {
    const options = optionsOf(command).map(([option, { about, value, choices, multiple }]) => {
      const values = choices === undefined ? "_files" : `(${choices.join(" ")})`;
      const end = value === undefined && choices === undefined ? "" : `:${value ?? option}:${values}`;
      return quoted(`${multiple === true ? "*" : ""}--${option}[${escaped(about)}]${end}`);
    });
    const operand =
      command.choices === undefined ? "*:file:_files" : `1:choice:(${command.choices.join(" ")})`;
    return `    ${command.name}) _arguments ${[...options, quoted(operand)].join(" ")} ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _${name} ${name}
`;
}

/** Characters with a meaning in descriptions of zsh. */
const escaped = (text: string): string => text.replaceAll(/[[\]:]/gu, String.raw`\$&`);

function fishScript({ name, commands }: Program): string {
  const lines = commands.flatMap((command) => {
    const seen = quoted(`__fish_seen_subcommand_from ${command.name}`);
    return [
      `complete -c ${name} -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.about)}`,
      ...optionsOf(command).map(([option, { value, choices, about }]) => {
        const end = value === undefined ? "" : " -r";
        const values = choices === undefined ? end : ` -x -a ${quoted(choices.join(" "))}`;
        return `complete -c ${name} -n ${seen} -l ${option}${values} -d ${quoted(about)}`;
      }),
      ...(command.choices === undefined
        ? []
        : [`complete -c ${name} -n ${seen} -f -a ${quoted(command.choices.join(" "))}`]),
    ];
  });
  return `${lines.join("\n")}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function powershellScript({ name, commands }: Program): string {
  const listOf = (words: readonly string[]): string => `@(${words.map((word) => `'${word}'`).join(", ")})`;
  const options = commands.map(
    (command) => `    '${command.name}' = ${listOf([...namesOf(command), ...(command.choices ?? [])])}`,
  );
  const values = commands.flatMap((command) =>
    optionsOf(command).flatMap(([option, { choices }]) =>
      choices === undefined ? [] : [`    '${command.name} --${option}' = ${listOf(choices)}`],
    ),
  );
  return `Register-ArgumentCompleter -Native -CommandName '${name}' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $options = @{
${options.join("\n")}
  }
  $values = @{
${values.join("\n")}
  }
  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $before = if ($wordToComplete) { $words.Count - 2 } else { $words.Count - 1 }
  if ($before -lt 1) { $found = $options.Keys }
  else {
    $found = $values["$($words[1]) $($words[$before])"]
    if (-not $found) { $found = $options[$words[1]] }
  }
  $found | Where-Object { $_ -like "$wordToComplete*" } | Sort-Object | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
