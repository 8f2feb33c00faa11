/** Commands that the module calls, with the parameters that Windows PowerShell 5.1 and PowerShell 7 have, and where they are documented. */
interface Cmdlet {
  readonly source: string;
  readonly parameters: readonly string[];
}

const COMMON = ["-ErrorAction"];
const of = (page: string, parameters: readonly string[]): Cmdlet => ({
  source: `https://learn.microsoft.com/powershell/module/${page}`,
  parameters: [...parameters, ...COMMON],
});
const core = (name: string, ...parameters: string[]): Cmdlet =>
  of(`microsoft.powershell.core/${name}`, parameters);
const utility = (name: string, ...parameters: string[]): Cmdlet =>
  of(`microsoft.powershell.utility/${name}`, parameters);
const management = (name: string, ...parameters: string[]): Cmdlet =>
  of(`microsoft.powershell.management/${name}`, parameters);

export const CMDLETS: Readonly<Record<string, Cmdlet>> = {
  "Export-ModuleMember": core("export-modulemember", "-Function"),
  "ForEach-Object": core("foreach-object"),
  "Get-Command": core("get-command", "-Name", "-CommandType"),
  "Out-Null": core("out-null"),
  "Set-StrictMode": core("set-strictmode", "-Version"),
  "Where-Object": core("where-object", "-Property", "-EQ", "-Value"),
  "Add-Type": utility("add-type", "-AssemblyName"),
  "ConvertFrom-Json": utility("convertfrom-json", "-InputObject"),
  "New-Object": utility("new-object", "-TypeName", "-ArgumentList"),
  "Select-Object": utility("select-object", "-Property", "-First", "-ExpandProperty", "-Unique"),
  "Start-Sleep": utility("start-sleep", "-Seconds"),
  "Update-TypeData": utility("update-typedata", "-Force"),
  "Write-Error": utility("write-error", "-Message", "-TargetObject", "-Category"),
  "Write-Progress": utility(
    "write-progress",
    "-Activity",
    "-SecondsRemaining",
    "-PercentComplete",
    "-Completed",
  ),
  "Write-Verbose": utility("write-verbose", "-Message"),
  "Write-Warning": utility("write-warning", "-Message"),
  "Resolve-Path": management("resolve-path", "-Path", "-LiteralPath"),
  "Test-Path": management("test-path", "-LiteralPath", "-PathType"),
};

/** Commands of other modules, called with tables of parameters. */
export const SQL_COMMANDS: Readonly<Record<string, Cmdlet>> = {
  "Invoke-DbaQuery": {
    source: "https://docs.dbatools.io/Invoke-DbaQuery",
    parameters: [
      "SqlInstance",
      "SqlCredential",
      "Database",
      "Query",
      "QueryTimeout",
      "AppendConnectionString",
      "EnableException",
      "ErrorAction",
    ],
  },
  "Invoke-Sqlcmd": {
    source: "https://learn.microsoft.com/powershell/module/sqlserver/invoke-sqlcmd",
    parameters: [
      "ServerInstance",
      "Credential",
      "Database",
      "Query",
      "QueryTimeout",
      "TrustServerCertificate",
      "ErrorAction",
    ],
  },
};
