-- What this repository knows of the tables of OpenEMR 7.0.2: names, columns and their kinds, keys. Left out is
-- whatever neither the world nor a check names. Never part of an installation; the image brings its own.

CREATE TABLE patient_data (id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, pid BIGINT NOT NULL UNIQUE,
    pubpid VARCHAR(255), title VARCHAR(255), fname VARCHAR(255), mname VARCHAR(255), lname VARCHAR(255), DOB DATE,
    sex VARCHAR(255), street VARCHAR(255), postal_code VARCHAR(255), city VARCHAR(255), state VARCHAR(255),
    phone_home VARCHAR(255), status VARCHAR(255), date DATETIME, regdate DATETIME, providerID INT,
    language VARCHAR(255), last_updated TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);

CREATE TABLE history_data (id BIGINT AUTO_INCREMENT PRIMARY KEY, pid BIGINT NOT NULL, date DATETIME, tobacco LONGTEXT, alcohol LONGTEXT);
CREATE TABLE employer_data (id BIGINT AUTO_INCREMENT PRIMARY KEY, pid BIGINT NOT NULL, name VARCHAR(255), date DATETIME);
CREATE TABLE insurance_data (id BIGINT AUTO_INCREMENT PRIMARY KEY, pid BIGINT NOT NULL, type ENUM('primary','secondary','tertiary'), provider VARCHAR(255),
    plan_name VARCHAR(255), policy_number VARCHAR(255), group_number VARCHAR(255), subscriber_fname VARCHAR(255), subscriber_lname VARCHAR(255),
    subscriber_relationship VARCHAR(255), subscriber_DOB DATE, subscriber_sex VARCHAR(25), date DATE);
CREATE TABLE insurance_companies (id INT PRIMARY KEY, name VARCHAR(255), inactive TINYINT NOT NULL DEFAULT 0);
CREATE TABLE addresses (id INT NOT NULL DEFAULT 0 PRIMARY KEY, line1 VARCHAR(255), city VARCHAR(255), state VARCHAR(35), zip VARCHAR(10), foreign_id INT);
CREATE TABLE immunizations (id BIGINT AUTO_INCREMENT PRIMARY KEY, patient_id BIGINT, administered_date DATETIME, immunization_id INT, cvx_code VARCHAR(64), lot_number VARCHAR(50),
    administered_by_id BIGINT, administration_site VARCHAR(100), create_date DATETIME, created_by BIGINT, added_erroneously TINYINT NOT NULL DEFAULT 0,
    completion_status VARCHAR(50));

CREATE TABLE lists (id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, date DATETIME, type VARCHAR(255),
    title VARCHAR(255), begdate DATETIME, enddate DATETIME, diagnosis VARCHAR(255), activity TINYINT, comments LONGTEXT,
    pid BIGINT, user VARCHAR(255), groupname VARCHAR(255), reaction VARCHAR(255), severity_al VARCHAR(50),
    modifydate TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);
CREATE TABLE lists_medication (id BIGINT AUTO_INCREMENT PRIMARY KEY, list_id BIGINT, drug_dosage_instructions LONGTEXT, prescription_id BIGINT);
CREATE TABLE lists_touch (pid BIGINT, type VARCHAR(255), date DATETIME, PRIMARY KEY (pid, type));
CREATE TABLE issue_encounter (pid BIGINT NOT NULL, list_id INT NOT NULL, encounter INT NOT NULL, resolved TINYINT, PRIMARY KEY (pid, list_id, encounter));

CREATE TABLE prescriptions (id INT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, patient_id BIGINT, date_added DATETIME,
    date_modified DATETIME, provider_id INT, encounter INT, start_date DATE, drug VARCHAR(150), drug_id INT NOT NULL DEFAULT 0,
    form INT, dosage VARCHAR(100), quantity VARCHAR(31), size VARCHAR(25), unit INT, route VARCHAR(100), `interval` INT,
    refills INT, per_refill INT, note TEXT, medication INT, active INT NOT NULL DEFAULT 1, txDate DATE NOT NULL,
    usage_category_title VARCHAR(255) NOT NULL, request_intent_title VARCHAR(255) NOT NULL, created_by BIGINT, updated_by BIGINT);

CREATE TABLE form_encounter (id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, date DATETIME, reason LONGTEXT,
    facility LONGTEXT, facility_id INT NOT NULL DEFAULT 0, billing_facility INT NOT NULL DEFAULT 0, pid BIGINT, encounter BIGINT, onset_date DATETIME,
    sensitivity VARCHAR(30), pc_catid INT NOT NULL DEFAULT 5, provider_id INT DEFAULT 0, class_code VARCHAR(10) NOT NULL DEFAULT 'AMB',
    last_update TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP);
CREATE TABLE forms (id BIGINT AUTO_INCREMENT PRIMARY KEY, date DATETIME, encounter BIGINT, form_name LONGTEXT, form_id BIGINT,
    pid BIGINT, user VARCHAR(255), groupname VARCHAR(255), authorized TINYINT, deleted TINYINT NOT NULL DEFAULT 0, formdir LONGTEXT);
CREATE TABLE form_vitals (id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, date DATETIME, pid BIGINT, user VARCHAR(255),
    groupname VARCHAR(255), authorized TINYINT, activity TINYINT, bps VARCHAR(40), bpd VARCHAR(40), weight DECIMAL(12,6), height DECIMAL(12,6),
    BMI DECIMAL(12,6), BMI_status VARCHAR(255),    temperature DECIMAL(12,6), pulse FLOAT(5,2), respiration FLOAT(5,2), oxygen_saturation FLOAT(5,2), note VARCHAR(255));
CREATE TABLE form_soap (id BIGINT AUTO_INCREMENT PRIMARY KEY, date DATETIME, pid BIGINT, user VARCHAR(255), groupname VARCHAR(255),
    authorized TINYINT, activity TINYINT, subjective TEXT, objective TEXT, assessment TEXT, plan TEXT);

CREATE TABLE procedure_providers (ppid BIGINT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255), active TINYINT NOT NULL DEFAULT 1);
CREATE TABLE procedure_type (procedure_type_id BIGINT AUTO_INCREMENT PRIMARY KEY, parent BIGINT NOT NULL DEFAULT 0, name VARCHAR(63),
    lab_id BIGINT NOT NULL DEFAULT 0, procedure_code VARCHAR(64), procedure_type VARCHAR(31), activity TINYINT NOT NULL DEFAULT 1);
CREATE TABLE procedure_order (procedure_order_id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16) UNIQUE, provider_id BIGINT NOT NULL DEFAULT 0,
    patient_id BIGINT NOT NULL, encounter_id BIGINT NOT NULL DEFAULT 0, date_collected DATETIME, date_ordered DATETIME,
    order_priority VARCHAR(31), order_status VARCHAR(31), patient_instructions TEXT, activity TINYINT NOT NULL DEFAULT 1,
    lab_id BIGINT NOT NULL DEFAULT 0, clinical_hx VARCHAR(255), order_diagnosis VARCHAR(255),
    procedure_order_type VARCHAR(32) NOT NULL DEFAULT 'laboratory_test');
CREATE TABLE procedure_report (procedure_report_id BIGINT AUTO_INCREMENT PRIMARY KEY, procedure_order_id BIGINT, procedure_order_seq INT NOT NULL DEFAULT 1,
    date_collected DATETIME, date_report DATETIME, source BIGINT NOT NULL DEFAULT 0, report_status VARCHAR(31), review_status VARCHAR(31));
CREATE TABLE procedure_result (procedure_result_id BIGINT AUTO_INCREMENT PRIMARY KEY, procedure_report_id BIGINT NOT NULL, result_data_type CHAR(1),
    result_code VARCHAR(31), result_text VARCHAR(255), date DATETIME, facility VARCHAR(255), units VARCHAR(31), result VARCHAR(255), `range` VARCHAR(255),
    abnormal VARCHAR(31), result_status VARCHAR(31));
CREATE TABLE procedure_order_code (procedure_order_id BIGINT NOT NULL, procedure_order_seq INT NOT NULL, procedure_code VARCHAR(64),
    procedure_name VARCHAR(255), procedure_source CHAR(1), procedure_order_title VARCHAR(255), diagnoses TEXT, do_not_send TINYINT NOT NULL DEFAULT 0,
    PRIMARY KEY (procedure_order_id, procedure_order_seq));

CREATE TABLE openemr_postcalendar_events (pc_eid INT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16), pc_catid INT NOT NULL DEFAULT 0, pc_multiple INT,
    pc_aid VARCHAR(30), pc_pid VARCHAR(11), pc_title VARCHAR(150), pc_time DATETIME, pc_hometext TEXT, pc_informant VARCHAR(20), pc_eventDate DATE,
    pc_duration BIGINT, pc_recurrtype INT, pc_recurrspec TEXT, pc_startTime TIME, pc_endTime TIME, pc_alldayevent INT, pc_location TEXT,
    pc_eventstatus INT, pc_sharing INT, pc_apptstatus VARCHAR(15), pc_prefcatid INT, pc_facility INT, pc_billing_location SMALLINT);
CREATE TABLE pnotes (id BIGINT AUTO_INCREMENT PRIMARY KEY, date DATETIME, body LONGTEXT, pid BIGINT, user VARCHAR(255), groupname VARCHAR(255), activity TINYINT,
    authorized TINYINT, title VARCHAR(255), assigned_to VARCHAR(255), deleted TINYINT DEFAULT 0, message_status VARCHAR(20));
CREATE TABLE transactions (id BIGINT AUTO_INCREMENT PRIMARY KEY, pid BIGINT, title VARCHAR(255));
CREATE TABLE lists_of_nobody (name VARCHAR(63), value LONGTEXT);
CREATE TABLE facility (id INT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16), name VARCHAR(255), phone VARCHAR(30), fax VARCHAR(30), street VARCHAR(255),
    city VARCHAR(255), state VARCHAR(50), postal_code VARCHAR(11));
CREATE TABLE users (id BIGINT AUTO_INCREMENT PRIMARY KEY, uuid BINARY(16), username VARCHAR(255), fname VARCHAR(255), lname VARCHAR(255), authorized TINYINT, active TINYINT NOT NULL DEFAULT 1,
    calendar TINYINT NOT NULL DEFAULT 0, facility VARCHAR(255), facility_id INT NOT NULL DEFAULT 0);
CREATE TABLE user_settings (setting_user BIGINT NOT NULL, setting_label VARCHAR(100) NOT NULL, setting_value VARCHAR(255) NOT NULL,
    PRIMARY KEY (setting_user, setting_label));
CREATE TABLE globals (gl_name VARCHAR(63) NOT NULL, gl_index INT NOT NULL DEFAULT 0, gl_value VARCHAR(255) NOT NULL DEFAULT '', PRIMARY KEY (gl_name, gl_index));
CREATE TABLE product_registration (id INT AUTO_INCREMENT PRIMARY KEY, email VARCHAR(255), opt_out TINYINT);
CREATE TABLE sequences (id INT NOT NULL);
CREATE TABLE log (id BIGINT AUTO_INCREMENT PRIMARY KEY, date DATETIME, event VARCHAR(255), category VARCHAR(255), user VARCHAR(255),
    groupname VARCHAR(255), comments LONGTEXT, patient_id BIGINT, success TINYINT DEFAULT 1);
CREATE TABLE users_secure (id BIGINT PRIMARY KEY, username VARCHAR(255), password VARCHAR(255));

INSERT INTO users (id, username, fname, lname, authorized) VALUES (1, 'admin', '', 'Administrator', 1);
INSERT INTO users_secure (id, username, password) VALUES (1, 'admin', 'hash');
INSERT INTO sequences VALUES (1);
INSERT INTO facility (id, name) VALUES (3, 'Your Clinic Name Here');
