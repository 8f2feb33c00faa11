@{
    RootModule           = 'AgLens.psm1'
    ModuleVersion        = '0.1.0'
    GUID                 = 'c0dea40e-cade-4c7b-915d-587f08eccdb8'
    Description          = 'Records, reads, and analyzes events of Always On availability groups, over the program xel of AG Lens.'
    PowerShellVersion    = '5.1'
    CompatiblePSEditions = @('Desktop', 'Core')
    FunctionsToExport    = @('Read-AgLensXel', 'Test-AgLensSyncCommit', 'Start-AgLensCapture')
    CmdletsToExport      = @()
    VariablesToExport    = @()
    AliasesToExport      = @()
    PrivateData          = @{ PSData = @{ Tags = @('SQLServer', 'AlwaysOn', 'AvailabilityGroups', 'ExtendedEvents', 'XEvents') } }
}
