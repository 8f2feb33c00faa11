# Captures of Always On availability groups in PowerShell, over the program xel (docs/reference/cli.md).
# For Windows PowerShell 5.1 and PowerShell 7: no syntax of a later version.
Set-StrictMode -Version 3.0

# Shown without Format-List: the complete report is long.
$shown = @{ TypeName = 'AgLens.SyncCommit'; DefaultDisplayPropertySet = @('Verdict', 'Severity', 'CommitP95Ms', 'CheckNext') }
Update-TypeData @shown -Force

function Read-AgLensXel {
    <#
    .SYNOPSIS
    Reads the events of .xel files as objects.

    .DESCRIPTION
    Returns an object for each event, in the order of the file, while the file is read. Memory doesn't grow with the file.
    A damaged file is a warning, and its other events are returned. A file that can't be read is an error.

    .PARAMETER Path
    Files, also with wildcards. A file is a .xel file, event XML, or a CSV that SSMS saved.

    .PARAMETER EventName
    Names of events. Other events are skipped.

    .PARAMETER Since
    Events from this time on. A time without a kind is local time.

    .PARAMETER Until
    Events before this time.

    .PARAMETER XelPath
    Path of the program xel, or of the executable ag-lens. Without it, $env:AGLENS_XEL is used, and then the command xel of the PATH.

    .OUTPUTS
    AgLens.Event with Name, Timestamp (UTC, exact to 100 ns), Package, Fields, Actions, and File. Integers beyond 2^53 are texts.

    .EXAMPLE
    Read-AgLensXel .\SQL1\*.xel | Group-Object -Property Name -NoElement

    Counts the events of files by name.

    .EXAMPLE
    $hour = (Get-Date).AddHours(-1)
    Get-ChildItem -Path \\SQL1\C$\Logs -Filter system_health*.xel | Read-AgLensXel -EventName error_reported -Since $hour |
        ForEach-Object { $_.Fields.message }

    Messages of errors in the last hour.

    .LINK
    https://learn.microsoft.com/sql/relational-databases/extended-events/extended-events
    #>
    [CmdletBinding()]
    [OutputType('AgLens.Event')]
    param(
        [Parameter(Mandatory, Position = 0, ValueFromPipeline)]
        [object[]] $Path,

        [string[]] $EventName,

        [datetime] $Since,

        [datetime] $Until,

        [string] $XelPath
    )
    begin {
        $xel = Resolve-AgLensXel -XelPath $XelPath
        # Windows PowerShell returns times as texts, PowerShell 7 as DateTime unless it can be told not to.
        $json = @{}
        if ((Get-Command -Name ConvertFrom-Json).Parameters.ContainsKey('DateKind')) { $json['DateKind'] = 'String' }
        $invariant = [System.Globalization.CultureInfo]::InvariantCulture
        $roundtrip = [System.Globalization.DateTimeStyles]::RoundtripKind
        $format = "yyyy-MM-dd'T'HH:mm:ss.fffffff'Z'"
    }
    process {
        foreach ($file in Resolve-AgLensPath -Path $Path) {
            $arguments = @('dump', $file)
            foreach ($name in $EventName) { $arguments += @('--event', $name) }
            if ($PSBoundParameters.ContainsKey('Since')) {
                $from = $Since.ToUniversalTime().ToString($format, $invariant)
                $arguments += @('--since', $from)
            }
            if ($PSBoundParameters.ContainsKey('Until')) {
                $to = $Until.ToUniversalTime().ToString($format, $invariant)
                $arguments += @('--until', $to)
            }
            $ending = @{}
            Invoke-AgLensXel -Xel $xel -Arguments $arguments -Ending $ending | ForEach-Object {
                $record = ConvertFrom-Json -InputObject $_ @json
                $time = $record.timestamp
                if ($time -isnot [datetime]) { $time = [datetime]::Parse($time, $invariant, $roundtrip) }
                [pscustomobject]@{
                    PSTypeName = 'AgLens.Event'
                    Name       = $record.name
                    Timestamp  = $time.ToUniversalTime()
                    Package    = $record.package
                    Fields     = $record.fields
                    Actions    = $record.actions
                    File       = $file
                }
            }
            if (-not $ending['HasResult']) {
                Write-Error -Message $ending['Message'] -TargetObject $file -Category ReadError
            }
        }
    }
}

function Test-AgLensSyncCommit {
    <#
    .SYNOPSIS
    Determines why commits of an availability group are slow, from the event files of its replicas.

    .DESCRIPTION
    Joins the events of all replicas on one clock, and returns the verdict with its figures. Record the files with
    Start-AgLensCapture or the capture guide. Files of several captures return an object each.
    Damaged and skipped files are warnings, and IsComplete is $false. If nothing can be analyzed, that is an error.

    .PARAMETER Path
    Files, folders, and zips of all replicas, in any order, also with wildcards. The events show the role of each server.

    .PARAMETER Primary
    Files or folders of the primary replica, if the events don't show its role.

    .PARAMETER Secondary
    Files or folders of the secondary replicas.

    .PARAMETER XelPath
    Path of the program xel, or of the executable ag-lens. Without it, $env:AGLENS_XEL is used, and then the command xel of the PATH.

    .OUTPUTS
    AgLens.SyncCommit with Verdict, Severity (slow, notice, or none), Cause, CheckNext, Findings, Commits, CommitP50Ms,
    CommitP95Ms, CommitP99Ms, Replicas, IsComplete, Warnings, and Report, the complete answer of xel. Durations are in ms.
    A figure that wasn't measured is $null.

    .EXAMPLE
    Test-AgLensSyncCommit -Path C:\AGLens\night.zip

    Shows the verdict, the 95th percentile of commits, and the next checks. Format-List -Property * shows all properties.

    .EXAMPLE
    $result = Test-AgLensSyncCommit -Primary '.\SQL1' -Secondary '.\SQL2', '.\SQL3'
    $result.Replicas | Sort-Object -Property RemoteHardenP95Ms -Descending

    The replicas by their remote harden time.

    .EXAMPLE
    $result = Start-AgLensCapture -SqlInstance SQL1 -OutFile C:\AGLens\now.zip | Test-AgLensSyncCommit
    if ($result.Severity -eq 'slow') { Write-Warning -Message $result.Verdict }

    Records now, and warns if commits are slow.
    #>
    [CmdletBinding(DefaultParameterSetName = 'Path')]
    [OutputType('AgLens.SyncCommit')]
    param(
        [Parameter(Mandatory, Position = 0, ValueFromPipeline, ParameterSetName = 'Path')]
        [object[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'Role')]
        [object[]] $Primary,

        [Parameter(Mandatory, ParameterSetName = 'Role')]
        [object[]] $Secondary,

        [string] $XelPath
    )
    begin {
        $xel = Resolve-AgLensXel -XelPath $XelPath
        $files = @()
    }
    process {
        if ($PSCmdlet.ParameterSetName -eq 'Path') { $files += @(Resolve-AgLensPath -Path $Path) }
    }
    end {
        $arguments = @('analyze', '--json')
        if ($PSCmdlet.ParameterSetName -eq 'Role') {
            $primaryFiles = @(Resolve-AgLensPath -Path $Primary)
            $secondaryFiles = @(Resolve-AgLensPath -Path $Secondary)
            if ($primaryFiles.Count -eq 0 -or $secondaryFiles.Count -eq 0) { return }
            $arguments += @('--primary') + $primaryFiles
            $arguments += @('--secondary') + $secondaryFiles
        }
        else {
            if ($files.Count -eq 0) { return }
            $arguments += $files
        }
        $ending = @{}
        $lines = @(Invoke-AgLensXel -Xel $xel -Arguments $arguments -Ending $ending)
        # The exit code 1 is also the one of a Node that is too old for xel, which then prints no answer.
        if (-not $ending['HasResult'] -or $lines.Count -eq 0) {
            Write-Error -Message $ending['Message'] -Category InvalidData
            return
        }
        # Windows PowerShell returns a list as one object, which foreach takes apart.
        $answer = ConvertFrom-Json -InputObject ($lines -join "`n")
        foreach ($report in $answer) {
            if ($null -eq $report.PSObject.Properties['verdict']) {
                Write-Error -Message 'These files have no data-movement events. Provide the files of the session of Start-AgLensCapture.' -Category InvalidData
                continue
            }
            ConvertTo-AgLensSyncCommit -Report $report -Ending $ending
        }
    }
}

function Start-AgLensCapture {
    <#
    .SYNOPSIS
    Records the events of an availability group on all its replicas, and puts the files into one zip.

    .DESCRIPTION
    Creates the session of the capture guide on each replica, waits, stops and drops it, copies the files from the log folder of
    each server over its administrative share, and writes one zip. The session starts on the secondary replicas first and stops on
    the primary replica first, so that every log block is recorded on all of them.
    The session has a name of its own. It is dropped also after an error and after Ctrl+C. It uses up to 16 MB of memory and
    2 GB of disk on each replica, and no commit waits for it.

    Requires Invoke-DbaQuery (dbatools) or Invoke-Sqlcmd (SqlServer), the permissions of the capture guide on each replica, and
    an administrator of each server. SQL Server on Linux has no administrative share.

    .PARAMETER SqlInstance
    A replica or the listener. It is asked for the replicas of the availability group, and which one is the primary replica.

    .PARAMETER AvailabilityGroup
    Name of the availability group. Required if the server has several.

    .PARAMETER Primary
    The primary replica, where names or ports differ from those of the availability group.

    .PARAMETER Secondary
    The secondary replicas.

    .PARAMETER OutFile
    The zip to write. It must not exist.

    .PARAMETER Seconds
    Length of the recording, 300 by default.

    .PARAMETER SqlCredential
    Login for SQL Server. Without it, Windows authentication is used.

    .PARAMETER TrustServerCertificate
    Accepts a certificate that this computer doesn't trust.

    .PARAMETER FileWrites
    Also records file writes, which split log writes into wait and disk.

    .PARAMETER Clients
    Also records the session and application of each commit. Not with -WithoutCommits.

    .PARAMETER WithoutCommits
    Doesn't record the events of each commit.

    .PARAMETER KeepServerFiles
    Leaves the files on the servers. Without it, they are deleted after they are in the zip.

    .PARAMETER XelPath
    Path of the program xel, or of the executable ag-lens. Without it, $env:AGLENS_XEL is used, and then the command xel of the PATH.

    .OUTPUTS
    AgLens.Capture with Path (the zip), Primary, Secondary, MissingServers, Session, StartedAt, StoppedAt (UTC), and Files.

    .EXAMPLE
    Start-AgLensCapture -SqlInstance SQL1 -OutFile C:\AGLens\night.zip -WhatIf

    Shows which servers would record. Only the availability group is read.

    .EXAMPLE
    $file = 'C:\AGLens\{0:yyyy-MM-dd}.zip' -f (Get-Date)
    Start-AgLensCapture -SqlInstance AG-LISTENER -AvailabilityGroup SALES -Seconds 600 -OutFile $file

    Records ten minutes, for example in a job.

    .EXAMPLE
    Start-AgLensCapture -Primary 'SQL1,1500' -Secondary 'SQL2,1500', 'SQL3\PROD' -OutFile C:\AGLens\now.zip

    Records on servers with ports and instances of their own.
    #>
    [CmdletBinding(SupportsShouldProcess, ConfirmImpact = 'Medium', DefaultParameterSetName = 'Group')]
    [OutputType('AgLens.Capture')]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Group')]
        [string] $SqlInstance,

        [Parameter(ParameterSetName = 'Group')]
        [string] $AvailabilityGroup,

        [Parameter(Mandatory, ParameterSetName = 'Server')]
        [string] $Primary,

        [Parameter(Mandatory, ParameterSetName = 'Server')]
        [string[]] $Secondary,

        [Parameter(Mandatory)]
        [string] $OutFile,

        [ValidateRange(10, 3600)]
        [int] $Seconds = 300,

        [pscredential] $SqlCredential,

        [switch] $TrustServerCertificate,

        [switch] $FileWrites,

        [switch] $Clients,

        [switch] $WithoutCommits,

        [switch] $KeepServerFiles,

        [string] $XelPath
    )
    $ErrorActionPreference = 'Stop'
    $target = $PSCmdlet.GetUnresolvedProviderPathFromPSPath($OutFile)
    if ([System.IO.File]::Exists($target)) { throw "$target exists already. Choose another name with -OutFile." }
    # A recording that was killed leaves this folder: its files would become part of this zip.
    $work = "$target.files"
    if ([System.IO.Directory]::Exists($work)) { throw "The folder $work exists already. Delete it, or choose another name with -OutFile." }
    $xel = Resolve-AgLensXel -XelPath $XelPath
    $login = @{ TrustServerCertificate = $TrustServerCertificate }
    if ($null -ne $SqlCredential) { $login['SqlCredential'] = $SqlCredential }
    if ($PSCmdlet.ParameterSetName -eq 'Group') {
        $group = Get-AgLensReplica -SqlInstance $SqlInstance -AvailabilityGroup $AvailabilityGroup -Login $login
        $Primary = $group.Primary
        $Secondary = $group.Secondary
    }
    $startOrder = @($Secondary) + $Primary
    $stopOrder = @($Primary) + $Secondary
    $session = 'AGLens_{0}' -f [guid]::NewGuid().ToString('N').Substring(0, 12)
    if (-not $PSCmdlet.ShouldProcess(($stopOrder -join ', '), "Record events for $Seconds s in the session $session")) { return }

    $options = @()
    if ($FileWrites) { $options += @('--file-writes') }
    if ($Clients) { $options += @('--clients') }
    if ($WithoutCommits) { $options += @('--without-commits') }
    $create = Get-AgLensSessionSql -Xel $xel -Step create -Session $session -Options $options
    $start = Get-AgLensSessionSql -Xel $xel -Step start -Session $session
    $findFile = Get-AgLensSessionSql -Xel $xel -Step file -Session $session
    $stop = Get-AgLensSessionSql -Xel $xel -Step stop -Session $session
    $drop = Get-AgLensSessionSql -Xel $xel -Step drop -Session $session

    $isZipped = $false
    $created = New-Object -TypeName 'System.Collections.Generic.List[string]'
    $logFolders = @{}
    try {
        # Before anything is recorded: the folder of the zip may be read-only.
        [System.IO.Directory]::CreateDirectory($work) | Out-Null
        foreach ($server in $startOrder) {
            # Noted before the server has it: an answer can be lost.
            $created.Add($server)
            Invoke-AgLensQuery -SqlInstance $server -Query $create @login | Out-Null
            Invoke-AgLensQuery -SqlInstance $server -Query $start @login | Out-Null
        }
        $startedAt = [datetime]::UtcNow
        Wait-AgLensRecording -Seconds $Seconds -Session $session
        foreach ($server in $stopOrder) {
            # Not by Select-Object -First, which would end the query before it closes its connection.
            $rows = @(Invoke-AgLensQuery -SqlInstance $server -Query $findFile @login)
            $logFolders[$server] = $rows[0].path -replace '[\\/][^\\/]+$', ''
            Invoke-AgLensQuery -SqlInstance $server -Query $stop @login | Out-Null
        }
        $stoppedAt = [datetime]::UtcNow

        $copied = New-Object -TypeName 'System.Collections.Generic.List[string]'
        $missing = New-Object -TypeName 'System.Collections.Generic.List[string]'
        foreach ($server in $stopOrder) {
            try {
                foreach ($source in Copy-AgLensServerFile -Server $server -LogFolder $logFolders[$server] -Session $session -Target $work) {
                    $copied.Add($source)
                }
            }
            catch {
                $missing.Add($server)
                Write-Warning -Message "Can't copy the files of $server from $($logFolders[$server]): $($_.Exception.Message) They stay there, with the name $session*.xel."
            }
        }
        if ($copied.Count -eq 0) { throw 'No files could be copied. Correct the reasons in the warnings.' }
        New-AgLensZip -Folder $work -Path $target
        $isZipped = $true
        if (-not $KeepServerFiles) {
            foreach ($source in $copied) {
                try { [System.IO.File]::Delete($source) }
                catch { Write-Warning -Message "Can't delete ${source}: $($_.Exception.Message)" }
            }
        }
        [pscustomobject]@{
            PSTypeName     = 'AgLens.Capture'
            Path           = $target
            Primary        = $Primary
            Secondary      = @($Secondary)
            MissingServers = $missing.ToArray()
            Session        = $session
            StartedAt      = $startedAt
            StoppedAt      = $stoppedAt
            Files          = $copied.Count
        }
    }
    finally {
        # The primary first, as for stopping. A session that runs is stopped by this.
        $created.Reverse()
        foreach ($server in $created) {
            try { Invoke-AgLensQuery -SqlInstance $server -Query $drop @login | Out-Null }
            catch { Write-Warning -Message "Can't drop the session $session on ${server}: $($_.Exception.Message) Drop it with: DROP EVENT SESSION [$session] ON SERVER;" }
        }
        if ([System.IO.Directory]::Exists($work)) { [System.IO.Directory]::Delete($work, $true) }
        if ($created.Count -gt 0 -and -not $isZipped) {
            Write-Warning -Message "There is no zip. Files $session*.xel may be in the log folder of $($created -join ', '). Copy or delete them."
        }
    }
}

function Resolve-AgLensXel {
    <#
    .SYNOPSIS
    Finds the program xel: -XelPath, $env:AGLENS_XEL, or the PATH.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param([string] $XelPath)
    $named = if ($XelPath) { $XelPath } else { $env:AGLENS_XEL }
    if ($named) {
        if (Test-Path -LiteralPath $named -PathType Leaf) { return (Resolve-Path -LiteralPath $named).ProviderPath }
        throw "Can't find the program xel: $named doesn't exist. Correct -XelPath or `$env:AGLENS_XEL."
    }
    $found = Get-Command -Name xel -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -eq $found) { throw "Can't find the program xel. Put it into the PATH, or set -XelPath or `$env:AGLENS_XEL." }
    $found.Path
}

function Resolve-AgLensPath {
    <#
    .SYNOPSIS
    Turns files, wildcards, and objects with a path into full paths. A path that doesn't exist is an error.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param([object[]] $Path)
    foreach ($item in $Path) {
        $text = [string] $item
        # The text of a file object is only its name in Windows PowerShell.
        if ($item -is [System.IO.FileSystemInfo]) { $text = $item.FullName }
        elseif ($item -isnot [string] -and $null -ne $item.PSObject.Properties['Path']) { $text = $item.Path }
        $found = if (Test-Path -LiteralPath $text) { Resolve-Path -LiteralPath $text } else { Resolve-Path -Path $text }
        # In Windows PowerShell, a backslash before the closing quotation mark of an argument would escape it.
        $found | Select-Object -ExpandProperty ProviderPath | ForEach-Object { if ($_.Length -gt 3) { $_.TrimEnd('\', '/') } else { $_ } }
    }
}

function Invoke-AgLensXel {
    <#
    .SYNOPSIS
    Runs xel and returns the lines that it prints, while it runs.

    .DESCRIPTION
    Sentences on standard error are warnings if there is a result: after damage (exit code 1) and skipped files (3). Otherwise
    they are the message of an error, which the caller writes (2 and 4). -Ending receives HasResult, IsComplete, and Message.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)] [string] $Xel,
        [Parameter(Mandatory)] [string[]] $Arguments,
        [Parameter(Mandatory)] [hashtable] $Ending
    )
    # The executable of AG Lens has the commands of xel after its own command xel.
    if ([System.IO.Path]::GetFileNameWithoutExtension($Xel) -eq 'ag-lens') { $Arguments = @('xel') + $Arguments }
    # npm starts xel by a batch file, where these characters would be commands, and Windows PowerShell doesn't quote them.
    $unsafe = @($Arguments | Where-Object { $_ -match '[&|<>^%"]' })
    if ($Xel -match '\.(cmd|bat)$' -and $unsafe.Count -gt 0) {
        throw "Can't pass $($unsafe[0]) to ${Xel}: it has one of the characters & | < > ^ %. Rename the file or folder."
    }
    # Longer ones are refused with the exit code 1, the code of a result after damage. The batch file adds two paths.
    if ($Xel -match '\.(cmd|bat)$' -and ($Arguments -join '" "').Length -gt 7000) {
        throw "Can't pass so many files to ${Xel}: a batch file accepts 8,191 characters. Use their folder instead of the files."
    }
    # Otherwise the first sentence on standard error, or the exit code, would end the program.
    $ErrorActionPreference = 'Continue'
    $PSNativeCommandUseErrorActionPreference = $false
    $sentences = New-Object -TypeName 'System.Collections.Generic.List[string]'
    # xel prints UTF-8. A process without a console, such as a job of SQL Server Agent, refuses the setting.
    $encoding = [System.Console]::OutputEncoding
    try { [System.Console]::OutputEncoding = New-Object -TypeName System.Text.UTF8Encoding -ArgumentList $false }
    catch { Write-Verbose -Message "The encoding of this console stays $($encoding.WebName)." }
    # Both stay if xel can't be started.
    $global:LASTEXITCODE = 4
    $code = 4
    try {
        & $Xel @Arguments 2>&1 | ForEach-Object {
            if ($_ -is [System.Management.Automation.ErrorRecord]) { $sentences.Add($_.ToString()) } else { $_ }
        }
        $code = $LASTEXITCODE
    }
    finally {
        try { [System.Console]::OutputEncoding = $encoding }
        catch { Write-Verbose -Message "The encoding of this console stays $($encoding.WebName)." }
    }
    $Ending['Message'] = $sentences -join "`n"
    $Ending['IsComplete'] = $code -eq 0
    $Ending['HasResult'] = $code -in 0, 1, 3
    if (-not $Ending['HasResult'] -and $sentences.Count -eq 0) { $Ending['Message'] = "xel ended with the exit code $code." }
    if ($code -in 1, 3) { foreach ($sentence in $sentences) { Write-Warning -Message $sentence } }
}

function ConvertTo-AgLensSyncCommit {
    <#
    .SYNOPSIS
    Turns a capture of the answer of xel analyze into the object of Test-AgLensSyncCommit.
    #>
    [CmdletBinding()]
    [OutputType('AgLens.SyncCommit')]
    param(
        [Parameter(Mandatory)] [object] $Report,
        [Parameter(Mandatory)] [hashtable] $Ending
    )
    $replicas = @(foreach ($id in $Report.secondaries) {
        $stages = $Report.stagesUs.$id
        [pscustomobject]@{
            Name                 = ($Report.replicas | Where-Object -Property id -EQ -Value $id).name
            RemoteHardenP50Ms    = Get-AgLensMs -Stages $stages -Stage remoteHarden -Figure p50
            RemoteHardenP95Ms    = Get-AgLensMs -Stages $stages -Stage remoteHarden -Figure p95
            NetworkP50Ms         = Get-AgLensMs -Stages $stages -Stage networkRoundTrip -Figure p50
            NetworkP95Ms         = Get-AgLensMs -Stages $stages -Stage networkRoundTrip -Figure p95
            LogWriteP50Ms        = Get-AgLensMs -Stages $stages -Stage secondaryFlush -Figure p50
            LogWriteP95Ms        = Get-AgLensMs -Stages $stages -Stage secondaryFlush -Figure p95
            PrimaryLogWriteP50Ms = Get-AgLensMs -Stages $stages -Stage localFlush -Figure p50
            PrimaryLogWriteP95Ms = Get-AgLensMs -Stages $stages -Stage localFlush -Figure p95
        }
    })
    $commits = [pscustomobject]@{ all = $Report.commits.latencyUs }
    [pscustomobject]@{
        PSTypeName  = 'AgLens.SyncCommit'
        Verdict     = $Report.verdict.sentence
        Severity    = $Report.verdict.severity
        Cause       = $Report.verdict.cause
        CheckNext   = @($Report.verdict.checkNext)
        Findings    = @($Report.verdict.findings | Select-Object -Property 'severity', 'rule', 'cause', 'sentence')
        Commits     = $Report.commits.count
        CommitP50Ms = Get-AgLensMs -Stages $commits -Stage all -Figure p50
        CommitP95Ms = Get-AgLensMs -Stages $commits -Stage all -Figure p95
        CommitP99Ms = Get-AgLensMs -Stages $commits -Stage all -Figure p99
        Blocks      = $Report.blocks.primary
        Replicas    = $replicas
        IsComplete  = $Ending['IsComplete']
        Warnings    = @($Report.warnings)
        Report      = $Report
    }
}

function Get-AgLensMs {
    <#
    .SYNOPSIS
    A figure of a stage in ms; $null if it wasn't measured.
    #>
    [CmdletBinding()]
    param([object] $Stages, [string] $Stage, [string] $Figure)
    if ($null -eq $Stages -or $null -eq $Stages.PSObject.Properties[$Stage]) { return $null }
    $microseconds = $Stages.$Stage.$Figure
    if ($null -eq $microseconds) { return $null }
    $microseconds / 1000
}

function Get-AgLensSessionSql {
    <#
    .SYNOPSIS
    The T-SQL of a step of the session, from xel.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)] [string] $Xel,
        [Parameter(Mandatory)] [ValidateSet('create', 'start', 'file', 'stop', 'drop')] [string] $Step,
        [Parameter(Mandatory)] [string] $Session,
        [string[]] $Options = @()
    )
    $arguments = @('session', $Step, '--name', $Session)
    $arguments += $Options
    $ending = @{}
    $lines = @(Invoke-AgLensXel -Xel $Xel -Arguments $arguments -Ending $ending)
    if (-not $ending['IsComplete']) { throw $ending['Message'] }
    $lines -join "`n"
}

function Invoke-AgLensQuery {
    <#
    .SYNOPSIS
    Runs a batch with Invoke-DbaQuery of dbatools or Invoke-Sqlcmd of the module SqlServer. An error of the server ends it.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $SqlInstance,
        [Parameter(Mandatory)] [string] $Query,
        [pscredential] $SqlCredential,
        [switch] $TrustServerCertificate
    )
    $command = Get-Command -Name 'Invoke-DbaQuery', 'Invoke-Sqlcmd' -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -eq $command) {
        throw "Can't run T-SQL: neither Invoke-DbaQuery nor Invoke-Sqlcmd is installed. Install the module dbatools or SqlServer."
    }
    $options = @{ Query = $Query; Database = 'master'; QueryTimeout = 60; ErrorAction = 'Stop' }
    if ($command.Name -eq 'Invoke-DbaQuery') {
        $options['SqlInstance'] = $SqlInstance
        $options['EnableException'] = $true
        if ($null -ne $SqlCredential) { $options['SqlCredential'] = $SqlCredential }
        if ($TrustServerCertificate) { $options['AppendConnectionString'] = 'TrustServerCertificate=True' }
        Invoke-DbaQuery @options
        return
    }
    $options['ServerInstance'] = $SqlInstance
    if ($null -ne $SqlCredential) { $options['Credential'] = $SqlCredential }
    # Versions before 22 don't have the parameter, and don't verify the certificate.
    if ($TrustServerCertificate -and $command.Parameters.ContainsKey('TrustServerCertificate')) {
        $options['TrustServerCertificate'] = $true
    }
    Invoke-Sqlcmd @options
}

function Get-AgLensReplica {
    <#
    .SYNOPSIS
    The primary and secondary replicas of an availability group, from any of its replicas.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $SqlInstance,
        [string] $AvailabilityGroup,
        [hashtable] $Login = @{}
    )
    # Groups are chosen here: no name of a user becomes part of T-SQL.
    $query = @'
SELECT g.name AS group_name, r.replica_server_name, s.primary_replica
FROM sys.availability_groups AS g
JOIN sys.availability_replicas AS r ON r.group_id = g.group_id
JOIN sys.dm_hadr_availability_group_states AS s ON s.group_id = g.group_id;
'@
    $rows = @(Invoke-AgLensQuery -SqlInstance $SqlInstance -Query $query @Login)
    $names = @($rows | Select-Object -ExpandProperty group_name -Unique)
    if ($AvailabilityGroup) { $names = @($names | Where-Object { $_ -eq $AvailabilityGroup }) }
    if ($names.Count -eq 0) { throw "$SqlInstance has no such availability group, or the login can't see it (VIEW ANY DEFINITION, VIEW SERVER STATE). Use -Primary and -Secondary." }
    if ($names.Count -gt 1) { throw "$SqlInstance has several availability groups: $($names -join ', '). Choose one with -AvailabilityGroup." }
    $replicas = @($rows | Where-Object { $_.group_name -eq $names[0] })
    $primary = [string] $replicas[0].primary_replica
    if (-not $primary) { throw "$($names[0]) has no primary replica now. Repeat this when it has one." }
    $secondaries = @($replicas | Where-Object { $_.replica_server_name -ne $primary } | ForEach-Object { [string] $_.replica_server_name })
    [pscustomobject]@{ Primary = $primary; Secondary = $secondaries }
}

function Wait-AgLensRecording {
    <#
    .SYNOPSIS
    Waits for the length of the recording, with its progress.
    #>
    [CmdletBinding()]
    param([int] $Seconds, [string] $Session)
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    while ($watch.Elapsed.TotalSeconds -lt $Seconds) {
        $left = [int] [System.Math]::Ceiling($Seconds - $watch.Elapsed.TotalSeconds)
        Write-Progress -Activity "Recording in the session $Session" -SecondsRemaining $left -PercentComplete (100 - 100 * $left / $Seconds)
        Start-Sleep -Seconds ([System.Math]::Min($left, 5))
    }
    Write-Progress -Activity "Recording in the session $Session" -Completed
}

function Copy-AgLensServerFile {
    <#
    .SYNOPSIS
    Copies the files of a session from a server into a folder of its name, and returns their paths on the server.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [Parameter(Mandatory)] [string] $Server,
        [Parameter(Mandatory)] [string] $LogFolder,
        [Parameter(Mandatory)] [string] $Session,
        [Parameter(Mandatory)] [string] $Target
    )
    # Classes of .NET instead of cmdlets: a job of SQL Server Agent begins in the drive SQLSERVER:, where paths of shares have another meaning.
    $share = Get-AgLensShare -Server $Server -Folder $LogFolder
    $files = [System.IO.Directory]::GetFiles($share, "$Session*.xel")
    if ($files.Count -eq 0) { throw "$share has no file $Session*.xel." }
    # A folder . would be the target itself, whose files aren't part of the zip.
    $name = ($Server -replace '^\.(?=$|[\\,])', 'localhost') -replace '[\\/:,*?"<>|]', '_'
    $folder = [System.IO.Path]::Combine($Target, $name)
    [System.IO.Directory]::CreateDirectory($folder) | Out-Null
    try {
        foreach ($file in $files) {
            [System.IO.File]::Copy($file, [System.IO.Path]::Combine($folder, [System.IO.Path]::GetFileName($file)))
        }
    }
    catch {
        # Some files of a server would be analyzed as if they were all.
        [System.IO.Directory]::Delete($folder, $true)
        throw
    }
    $files
}

function Get-AgLensShare {
    <#
    .SYNOPSIS
    The administrative share of a folder: C:\Log of SQL1\PROD is \\SQL1\C$\Log. A folder of this computer stays as it is.
    #>
    [CmdletBinding()]
    [OutputType([string])]
    param([string] $Server, [string] $Folder)
    $machine = ($Server -replace '^(tcp|np|lpc|admin):', '') -replace '[\\,].*$', ''
    if ($Folder -like '\\*' -or $machine -in '.', 'localhost', '(local)', $env:COMPUTERNAME) { return $Folder }
    if ($Folder -notmatch '^[A-Za-z]:') { throw "$Folder isn't on a drive of Windows, so it has no administrative share." }
    '\\{0}\{1}${2}' -f $machine, $Folder.Substring(0, 1), $Folder.Substring(2)
}

function New-AgLensZip {
    <#
    .SYNOPSIS
    Writes the subfolders of a folder into a zip. Names have slashes in Windows PowerShell too, and files may be larger than 2 GB.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string] $Folder,
        [Parameter(Mandatory)] [string] $Path
    )
    Add-Type -AssemblyName System.IO.Compression
    Add-Type -AssemblyName System.IO.Compression.FileSystem
    # Its name is the last step: a zip that ends too early never has it. The folder is deleted also after an error.
    $part = [System.IO.Path]::Combine($Folder, 'capture.zip')
    $zip = [System.IO.Compression.ZipFile]::Open($part, [System.IO.Compression.ZipArchiveMode]::Create)
    try {
        foreach ($server in [System.IO.Directory]::GetDirectories($Folder)) {
            foreach ($file in [System.IO.Directory]::GetFiles($server)) {
                $entry = '{0}/{1}' -f [System.IO.Path]::GetFileName($server), [System.IO.Path]::GetFileName($file)
                [System.IO.Compression.ZipFileExtensions]::CreateEntryFromFile($zip, $file, $entry) | Out-Null
            }
        }
    }
    finally { $zip.Dispose() }
    [System.IO.File]::Move($part, $Path)
}

Export-ModuleMember -Function 'Read-AgLensXel', 'Test-AgLensSyncCommit', 'Start-AgLensCapture'
