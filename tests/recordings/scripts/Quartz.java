// Quartz in a cluster at its trap, for `cargo xtask record quartz`. It prints what it sees: a line
// of the recording each, `head NAME: VALUE`, `[part] about`, or an observation. PostgreSQL is at
// PG_PORT. It is started once as who watches, and by that once for each node.

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

public class Quartz {
    static final String URL =
        "jdbc:postgresql://127.0.0.1:" + System.getenv("PG_PORT") + "/postgres?user=postgres";

    static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** A job that must not run twice at once, and is to be run again if its node fails. */
    @DisallowConcurrentExecution
    public static class Work implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            String who = System.getenv("WHO");
            say("start who=" + who + " recovering=" + (context.isRecovering() ? "yes" : "no"));
            try {
                Thread.sleep(Long.parseLong(System.getenv("WORK")));
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            say("write who=" + who);
        }
    }

    static Scheduler scheduler(String who) throws Exception {
        Properties settings = new Properties();
        settings.put("org.quartz.scheduler.instanceName", "fenceline");
        settings.put("org.quartz.scheduler.instanceId", who);
        settings.put("org.quartz.scheduler.skipUpdateCheck", "true");
        settings.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        settings.put("org.quartz.threadPool.threadCount", "1");
        String store = "org.quartz.jobStore.";
        settings.put(store + "class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        settings.put(store + "driverDelegateClass",
            "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        settings.put(store + "dataSource", "db");
        settings.put(store + "isClustered", "true");
        settings.put(store + "clusterCheckinInterval", "1000");
        settings.put("org.quartz.dataSource.db.driver", "org.postgresql.Driver");
        settings.put("org.quartz.dataSource.db.URL", URL);
        settings.put("org.quartz.dataSource.db.maxConnections", "5");
        return new StdSchedulerFactory(settings).getScheduler();
    }

    static Process node(String who, int work) throws Exception {
        List<String> command = new ArrayList<>(List.of("java", "-cp",
            System.getProperty("java.class.path"), "Quartz", "node"));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("WHO", who);
        builder.environment().put("WORK", String.valueOf(work));
        return builder.start();
    }

    static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    static List<String> query(String sql) throws Exception {
        List<String> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                ResultSet rows = statement.getResultSet();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    static void state(String when) throws Exception {
        String nodes = String.join(",",
            query("SELECT instance_name FROM qrtz_scheduler_state ORDER BY 1"));
        String fired = String.join(",",
            query("SELECT DISTINCT instance_name FROM qrtz_fired_triggers "
                + "WHERE state = 'EXECUTING' ORDER BY 1"));
        say("tables when=" + when + " nodes=" + (nodes.isEmpty() ? "none" : nodes)
            + " executing=" + (fired.isEmpty() ? "none" : fired));
    }

    /** Waits until the tables say that just this node works. */
    static void untilWorks(String who) throws Exception {
        String sql = "SELECT DISTINCT instance_name FROM qrtz_fired_triggers "
            + "WHERE state = 'EXECUTING'";
        long end = System.nanoTime() + 60_000_000_000L;
        while (!query(sql).equals(List.of(who))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("waited 60 s in vain for " + who);
            }
            Thread.sleep(20);
        }
    }

    static void watch() throws Exception {
        try (InputStream tables = Scheduler.class.getResourceAsStream(
                "/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
            query(new String(tables.readAllBytes(), StandardCharsets.UTF_8));
        }
        Scheduler made = scheduler("watcher");
        say("head version: " + made.getMetaData().getVersion());
        say("head settings: JobStoreTX, clusterCheckinInterval 1000 ms, one thread; others as they "
            + "are");
        say("[pause] A works for 4 s, at a job that must not run twice at once and asks for "
            + "recovery. Its process is stopped for as long as it takes B to notice, and goes on "
            + "while B works for 8 s.");
        JobDetail job = JobBuilder.newJob(Work.class).withIdentity("work").requestRecovery()
            .build();
        made.scheduleJob(job, TriggerBuilder.newTrigger().startNow().build());
        made.shutdown();
        Process a = node("A", 4000);
        untilWorks("A");
        Process b = node("B", 8000);
        while (query("SELECT 1 FROM qrtz_scheduler_state WHERE instance_name = 'B'").isEmpty()) {
            Thread.sleep(20);
        }
        state("A-works");
        long before = System.nanoTime();
        signal(a, "STOP");
        long stopped = System.nanoTime();
        say("stopped who=A");
        untilWorks("B");
        long low = (System.nanoTime() - stopped) / 1_000_000 - 100;
        long high = (System.nanoTime() - before) / 1_000_000 + 1;
        say("recovered who=B after=" + Math.max(low, 0) + ".." + high + "ms");
        state("B-works");
        say("goes-on who=A");
        signal(a, "CONT");
        Thread.sleep(5000);
        state("A-has-finished");
        Thread.sleep(5000);
        state("B-has-finished");
        a.destroyForcibly();
        b.destroyForcibly();
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            watch();
        } else {
            scheduler(System.getenv("WHO")).start();
        }
    }
}
