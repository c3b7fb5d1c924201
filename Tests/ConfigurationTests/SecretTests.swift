import Primitives
import TestSupport
import Testing

@testable import Configuration

/// Secrets come from where others cannot read them, and nothing ever shows one.
@Suite struct SecretTests {
    private static let canary = "[qx'zq: \"*"
    private static let paths = [
        "monitoring.dashboard_token", "alerts.smtp_password", "alerts.webhook_secret",
        "system.vendor_api_key",
    ]

    private func inspect(
        _ yaml: String = Sample.minimal, environment: [String: String] = [:], set: [String] = []
    ) -> Settings.Inspection {
        var document = Sample.document(yaml)
        document.merge(environment: environment)
        for assignment in set { document.merge(assignment: assignment) }
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    private func values(_ settings: Settings) -> [String?] {
        [
            settings.monitoring.dashboardToken, settings.alerts.smtpPassword,
            settings.alerts.webhookSecret, settings.system.vendorKey,
        ]
        .map { $0?.revealed }
    }

    /// Everything anybody may see of a configuration.
    private func output(_ inspection: Settings.Inspection) -> String {
        var dumped = ""
        dump(inspection.settings, to: &dumped)
        return [
            SettingsProblems(inspection.problems).description, inspection.settings.text,
            SettingsText.annotated(inspection.listing),
            SettingsJSON.object(of: inspection.listing).compact(), "\(inspection.settings)", dumped,
            inspection.notices.joined(),
        ]
        .joined(separator: "\n")
    }

    @Test func theListOfSecretsIsWhole() {
        let keys = inspect().listing.keys.filter(\.isSecret).map(\.path)
        #expect(keys == Self.paths)
    }

    @Test func theEnvironmentGivesThemAsTheyStand() {
        var environment: [String: String] = [:]
        for path in Self.paths { environment[SettingsDocument.variable(for: path)] = Self.canary }
        let inspection = inspect(environment: environment)
        #expect(inspection.problems.isEmpty, "\(inspection.problems)")
        #expect(values(inspection.settings) == Array(repeating: Self.canary, count: 4))
        #expect(!output(inspection).contains("qx") && !output(inspection).contains("zq"))
        #expect(inspection.settings.text.contains("smtp_password: \"***\""))
    }

    @Test func aResolvedConfigurationStandsForNoSecret() throws {
        let name = SettingsDocument.variable(for: "alerts.smtp_password")
        let text = inspect(environment: [name: "canary"]).settings.text
        let repeated = inspect(text)
        #expect(repeated.problems.isEmpty)
        #expect(repeated.settings.alerts.smtpPassword == nil)
        let both = inspect(text, environment: [name: "canary"])
        #expect(both.settings.alerts.smtpPassword?.revealed == "canary")
        #expect(both.settings.text == text)
    }

    @Test func filesAndFlagsMayNotContainThem() {
        for path in Self.paths {
            let (section, key) = (path.prefix { $0 != "." }, path.drop { $0 != "." }.dropFirst())
            let file = inspect(Sample.minimal + "\n\(section): {\(key): canary}")
            let flag = inspect(set: ["\(path)=canary"])
            for inspection in [file, flag] {
                #expect(inspection.problems.map(\.path) == [path])
                #expect(inspection.problems.first?.found == "a secret where others can read it")
                let variable = SettingsDocument.variable(for: path)
                #expect(inspection.problems.first?.allowed?.contains(variable) == true)
                #expect(!output(inspection).contains("canary"))
            }
        }
    }

    @Test(
        arguments: [
            "password", "smtp_pasword", "api_key", "apiKey", "Auth-Token", "client_secret", "pwd",
        ])
    func anUnknownKeyThatLooksLikeOneIsExplained(key: String) {
        let inspection = inspect(Sample.minimal + "\nalerts: {\(key): canary}")
        #expect(inspection.problems.map(\.found) == ["unknown key"])
        let isExplained = inspection.problems.first?.advice?.contains("only from the environment")
        #expect(isExplained == (key != "smtp_pasword"))
        #expect(!output(inspection).contains("canary"))
    }

    /// Paths of known secrets with values of wrong shapes, and wrong paths of known shapes.
    @Test(
        arguments: [
            ("MARTLET__ALERTS__SMTP_PASSWORD", "qx\u{1B}canary"),
            ("MARTLET__ALERTS__SMTP_PASSWORD__INNER_SECRET", "canary"),
            ("MARTLET__ALERTS__SMTP_PASSWORT", "canary"),
            ("MARTLET__ALERT__SMTP_PASSWORD", "canary"),
            ("MARTLET__ALERTS__0__SMTP_PASSWORD", "canary"),
            ("MARTLET__SMTP_PASSWORD", "canary"), ("MARTLET__ALERTS____SMTP_PASSWORD", "canary"),
            ("MARTLET__STRATEGIES__TOKEN", "canary"),
        ])
    func mistakesDoNotShowThem(name: String, value: String) {
        let inspection = inspect(environment: [name: value])
        #expect(!inspection.problems.isEmpty)
        #expect(!output(inspection).contains("canary"))
    }

    // MARK: - Files

    private func inspect(
        secrets: String, mode: Int = 0o600, over yaml: String = "", _ name: String
    ) throws -> Settings.Inspection {
        let folder = try TemporaryFolder("secrets-\(name)")
        defer { folder.remove() }
        try folder.write(secrets, to: "secrets.yaml", mode: mode)
        try folder.write(
            Sample.minimal + "\nsystem: {secrets_file: secrets.yaml}\n\(yaml)", to: "config.yaml")
        var document = SettingsDocument()
        document.merge(file: folder.path + "config.yaml")
        return Settings.inspect(document, strategies: Sample.strategies)
    }

    @Test func aFileOfOnesOwnGivesThem() throws {
        let inspection = try inspect(
            secrets: """
                alerts: {smtp_password: 'canary 1'}
                system: {vendor_api_key: "canary 2"}
                """, over: "alerts: {smtp_password: \"***\", webhook_secret: null}", "own")
        #expect(inspection.problems.isEmpty, "\(inspection.problems)")
        #expect(inspection.settings.alerts.smtpPassword?.revealed == "canary 1")
        #expect(inspection.settings.system.vendorKey?.revealed == "canary 2")
        #expect(inspection.settings.system.secretsFile?.given == "secrets.yaml")
        #expect(!output(inspection).contains("canary"))
    }

    @Test func theEnvironmentBeatsTheFile() throws {
        let folder = try TemporaryFolder("secrets-environment")
        defer { folder.remove() }
        try folder.write(
            "alerts: {smtp_password: one, webhook_secret: two}", to: "s", mode: 0o400)
        let inspection = inspect(
            environment: [
                "MARTLET__SYSTEM__SECRETS_FILE": folder.path + "s",
                "MARTLET__ALERTS__SMTP_PASSWORD": "three",
            ])
        #expect(inspection.problems.isEmpty)
        #expect(inspection.settings.alerts.smtpPassword?.revealed == "three")
        #expect(inspection.settings.alerts.webhookSecret?.revealed == "two")
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660, 0o601])
    func aFileThatOthersCanReadIsRefused(mode: Int) throws {
        let inspection = try inspect(
            secrets: "alerts: {smtp_password: canary}", mode: mode, "mode-\(mode)")
        #expect(inspection.problems.map(\.path) == ["system.secrets_file"])
        #expect(inspection.problems.first?.allowed == "a file of your own with mode 0600")
        #expect(inspection.settings.alerts.smtpPassword == nil)
    }

    @Test(
        arguments: [
            "canary", "[canary]", "alerts: *canary", "alerts: {smtp_password: 'canary", "canary: {",
            "alerts: canary", "alerts: {smtp_password: [canary]}", "alerts: {smtp_host: canary}",
            "alerts: {smtp_password: \"\\x07canary\"}", "alerts: {sntp_password: canary}",
            "a: canary\na: canary",
        ])
    func aBrokenFileShowsNothing(secrets: String) throws {
        let name = "broken-\(secrets.utf8.reduce(0) { $0 &* 31 &+ Int($1) })"
        let inspection = try inspect(secrets: secrets, name)
        #expect(!inspection.problems.isEmpty)
        #expect(!output(inspection).contains("canary"))
    }

    @Test func aMissingFileIsOneProblem() {
        let inspection = inspect(set: ["system.secrets_file=/no/such/file"])
        #expect(
            inspection.problems.map(\.description) == [
                """
                system.secrets_file: /no/such/file cannot be read: there is no such file.
                """
            ])
    }

    @Test(arguments: [(0o600, true), (0o644, false)])
    func dotEnvWithSecretsIsOnesOwn(mode: Int, isFine: Bool) throws {
        let folder = try TemporaryFolder("secrets-dotenv-\(mode)")
        defer { folder.remove() }
        try folder.write("MARTLET__ALERTS__SMTP_PASSWORD='canary'\n", to: ".env", mode: mode)
        var document = Sample.document(Sample.minimal)
        document.mergeEnvironmentFile(beside: [], orIn: folder.path)
        let inspection = Settings.inspect(document, strategies: Sample.strategies)
        #expect(inspection.problems.isEmpty == isFine, "\(inspection.problems)")
        #expect(inspection.settings.alerts.smtpPassword?.revealed == "canary")
        #expect(!output(inspection).contains("canary"))
    }

    @Test func dotEnvWithoutSecretsMayBeReadByAnybody() throws {
        let folder = try TemporaryFolder("dotenv-readable")
        defer { folder.remove() }
        try folder.write("MARTLET__IBKR__CLIENT_ID=9\nOTHER_TOKEN=x\n", to: ".env", mode: 0o644)
        var document = Sample.document(Sample.minimal)
        document.mergeEnvironmentFile(beside: [], orIn: folder.path)
        #expect(Sample.problems(in: document).isEmpty)
    }
}
